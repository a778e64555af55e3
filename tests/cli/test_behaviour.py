"""The file with a config's functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmvoice.cli.behaviour import functions_from_file
from fsmvoice.cli.problem import Failure


def test_the_mappings_are_taken_by_their_names(folder: Path) -> None:
    (folder / "functions.py").write_text("guards = {'a': bool}\ndelays = {'SOON': 100}\nother = {}\n")
    assert functions_from_file(Path("functions.py")) == {"guards": {"a": bool}, "delays": {"SOON": 100}}


def test_effects_and_migrations_are_taken_too(folder: Path) -> None:
    source = "from fsmvoice import migration\nasync def mail() -> None: ...\neffects = {'mail': mail}\n"
    (folder / "functions.py").write_text(f"{source}migrations = [migration('1', '2')(dict)]\n")
    found = functions_from_file(Path("functions.py"))
    assert list(found["effects"]) == ["mail"]
    assert repr(found["migrations"]) == "[<migration '1' -> '2'>]"


@pytest.mark.parametrize(
    ("name", "source", "told"),
    [
        ("f.py", "acctions = {}\n", "acctions is not one of .*; did you mean actions"),
        ("f.py", "actions = []\n", "f.py: actions is list; it should be a mapping"),
        ("f.py", "actions = {}\nevent_shemas = {}\n", "event_shemas is not one of .*; did you mean event_schemas"),
        ("f.py", "migrations = [dict]\n", "migrations should be a list of functions decorated with @migration"),
        ("f.json", "{}", "takes a Python file"),
    ],
)
def test_a_file_that_has_none_is_reported(folder: Path, name: str, source: str, told: str) -> None:
    (folder / name).write_text(source)
    with pytest.raises(Failure, match=told):
        functions_from_file(Path(name))


def test_a_file_that_is_not_there_is_reported(folder: Path) -> None:
    (folder / "functions.py").touch()
    with pytest.raises(Failure, match=r"did you mean 'functions\.py'"):
        functions_from_file(Path("funktions.py"))
