"""Machines that mix everything do what XState does."""

from __future__ import annotations

import pytest

from tests.oracle.mixed import differences, written
from tests.oracle.run import Mode

pytestmark = pytest.mark.slow

XSTATE_LOSES_COUNT = {"mixed-77", "mixed-158", "mixed-593"}
"""XState starts timers twice there, and fires each of them: those of a state that it has left too
(docs/concepts/differences.md)."""


@pytest.mark.parametrize("mode", ["sync", "async", "pure"])
def test_random_machines_do_the_same_in_xstate(mode: Mode) -> None:
    cases = written(range(600), tame=True)
    assert len(cases) > 300
    assert {difference.case for difference in differences(cases, mode)} == XSTATE_LOSES_COUNT
