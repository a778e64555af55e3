"""`load` takes a path, a text or an object, and tells what it is by looking."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fsmvoice import DefinitionError, load

MACHINE = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": "a"}}}}
TEXT = json.dumps(MACHINE)


def test_a_path_a_text_and_an_object_are_the_same_machine(tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    file.write_text(TEXT)
    config = load(MACHINE).config
    assert config.to_dict() == MACHINE
    for source in (file, str(file), TEXT, TEXT.encode(), "\n " + json.dumps(MACHINE, indent=2)):
        assert load(source).config == config


def test_a_format_that_can_not_be_seen_is_said() -> None:
    assert load(MACHINE, "xstate5").config.to_dict()["states"]["a"]["on"]["GO"] == "a"
    assert load(MACHINE, "xstate4").config.to_dict()["states"]["a"]["on"]["GO"] == {"target": "a", "reenter": True}


def test_problems_are_reported_with_the_files_name(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"initial": "b", "states": {"a": {}}}')
    with pytest.raises(DefinitionError, match=r"bad\.json has 1 problem:\n  \$\.initial: unknown state 'b'"):
        load(file)


def test_a_file_over_ten_megabytes_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "big.json"
    with file.open("wb") as out:
        out.truncate(10_000_001)
    with pytest.raises(DefinitionError, match=r"\$: has 10,000,001 bytes; at most 10,000,000 are read"):
        load(file)


def test_a_file_that_is_not_there_is_not_found() -> None:
    with pytest.raises(FileNotFoundError):
        load("nowhere.json")
