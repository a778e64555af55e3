"""A machine's definition is imported and runs as the machine, as far as it says what the machine is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.__main__ import lines, main
from tests.oracle.definitions import lacks, run_definitions
from tests.oracle.test_oracle import CASES, cases

DEFINITIONS = CASES.with_name("definitions_dev.jsonl.gz")


def test_every_definition_that_says_all_of_its_machine_runs_alike() -> None:
    definitions = {item["id"]: item["definition"] for item in lines(DEFINITIONS)} if CASES.exists() else {}
    tally = run_definitions(cases(), definitions, "sync")
    assert tally.differences == []
    assert (tally.whole, tally.partial) == (88, 112)
    assert tally.partial_equal == 65


def test_what_definitions_did_is_written_where_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states = {"a": {"on": {"GO": "b"}}, "b": {}}
    machine = {"id": "m", "initial": "a", "context": {}, "states": states}
    rest: dict[str, object] = {"status": "active", "context": {}, "output": None, "tags": [], "history": {}, "log": []}
    steps = [{"value": value, **rest} for value in ("a", "b")]
    case = {"id": "1", "machine": machine, "events": [{"type": "GO"}], "steps": steps}
    definition = {"id": "1", "definition": {**machine, "initial": {"target": ["#m.a"]}}}
    files = [tmp_path / name for name in ("cases.jsonl", "definitions.jsonl", "out.jsonl")]
    files[0].write_text(json.dumps(case))
    files[1].write_text(json.dumps(definition))
    arguments = ["oracle", str(files[0]), "--definitions", str(files[1]), "--dump", str(files[2])]
    monkeypatch.setattr("sys.argv", arguments)

    assert main() == 0
    (told,) = lines(files[2])
    assert told["id"] == "1"
    assert [step["value"] for step in told["steps"]] == ["a", "b"]


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
