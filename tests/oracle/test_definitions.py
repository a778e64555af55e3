"""A machine's definition is imported and runs as the machine, as far as it says what the machine is."""

from __future__ import annotations

import pytest

from tests.oracle.__main__ import lines
from tests.oracle.definitions import lacks, run_definitions
from tests.oracle.test_oracle import CASES, cases

DEFINITIONS = CASES.with_name("definitions_dev.jsonl.gz")


def test_every_definition_that_says_all_of_its_machine_runs_alike() -> None:
    definitions = {item["id"]: item["definition"] for item in lines(DEFINITIONS)} if CASES.exists() else {}
    tally = run_definitions(cases(), definitions, "sync")
    assert tally.differences == []
    assert (tally.whole, tally.partial) == (88, 112)
    assert tally.partial_equal == 65


@pytest.mark.parametrize(
    ("machine", "lacking"),
    [
        ({"states": {"a": {"on": {"GO": "a"}}}}, []),
        ({"states": {"a": {"always": "b"}, "b": {}}}, ["always"]),
        ({"states": {"a": {"states": {"h": {"type": "history", "target": "b"}}}}}, ["a history's target"]),
        ({"states": {"a": {"after": {"10": [], "20": "a"}}}}, ["a delay without transitions"]),
    ],
)
def test_what_a_definition_lacks(machine: dict[str, object], lacking: list[str]) -> None:
    assert lacks(machine) == lacking
