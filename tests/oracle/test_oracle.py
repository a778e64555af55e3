"""The engine does what XState does, on the cases that were recorded with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.__main__ import lines
from tests.oracle.compare import first_difference
from tests.oracle.run import Mode, run_case

CASES = Path(__file__).parents[2].parent / "shared" / "data" / "xstate" / "cases_dev.jsonl.gz"


def cases() -> Iterator[dict[str, Any]]:
    if not CASES.exists():
        pytest.skip(f"the recorded cases are not here: {CASES}")
    return lines(CASES)


@pytest.mark.parametrize("mode", ["sync", "async", "pure"])
def test_every_recorded_case_is_equal(mode: Mode) -> None:
    different = [difference for case in cases() if (difference := first_difference(case, run_case(case, mode)))]
    assert different == []
