"""Machines that mix everything do what XState does."""

from __future__ import annotations

import pytest

from tests.oracle.mixed import differences, written
from tests.oracle.run import Mode

pytestmark = pytest.mark.slow

XSTATE_LOSES_COUNT = {"mixed-77", "mixed-158", "mixed-593"}
"""XState enters a state there that it has not left, or does not enter one that it has left, and starts its timers twice
(docs/concepts/differences.md). With those two mended in its source, it does as we do."""


@pytest.mark.parametrize("mode", ["sync", "async", "pure"])
def test_random_machines_do_the_same_in_xstate(mode: Mode) -> None:
    cases = written(range(600), tame=True)
    assert len(cases) > 300
    assert {difference.case for difference in differences(cases, mode)} == XSTATE_LOSES_COUNT
