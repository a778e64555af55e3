"""`fsmvoice check`, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import COFFEE, Run

SPOKEN = COFFEE.replace("@transition", '@spoken("order a drink")\n    @transition').replace(
    "import State, VoiceMachine, transition", "import State, VoiceMachine, spoken, transition"
)


@pytest.fixture
def coffee(folder: Path) -> Path:
    (folder / "coffee.py").write_text(SPOKEN)
    return folder / "coffee.py"


def test_a_clean_machine_is_told_so(coffee: Path, run: Run) -> None:
    result = run("check", "coffee.py")
    assert (result.stdout, result.exit_code) == ("coffee.py: clean\n", 0)


def test_a_finding_has_its_place_its_rule_and_what_would_be_right(coffee: Path, run: Run) -> None:
    coffee.write_text(SPOKEN.replace("What would you like?", "Say ORDER."))
    result = run("check", "coffee.py")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "coffee.py:4 idle\n"
        "  V05 error  the prompt says 'ORDER', the name of an event\n"
        "             expected: words that customers know\n"
    )
    assert "coffee.py: 1 error, 0 warnings\n" in result.stdout


def test_a_warning_is_not_an_error_unless_it_is_to_be(coffee: Path, run: Run) -> None:
    coffee.write_text(SPOKEN.replace("What would you like?", "A drink? Say it."))
    assert run("check", "coffee.py").exit_code == 0
    assert run("check", "coffee.py", "--strict").exit_code == 1


def test_what_alexa_asks_for_is_asked_for(coffee: Path, run: Run) -> None:
    result = run("check", "coffee.py", "--alexa")
    assert "V16 warning  there is one way to ask for it" in result.stdout


def test_json_holds_all_of_it(coffee: Path, run: Run) -> None:
    told = 'State(initial=True, allow={"V05": "so it is called"}, prompt='
    coffee.write_text(SPOKEN.replace("State(initial=True, prompt=", told).replace("What would", "ORDER. What would"))
    data = json.loads(run("check", "coffee.py", "--json").stdout)
    assert (data["ok"], data["errors"], data["warnings"], data["findings"]) == (True, 0, 0, [])
    assert data["silenced"][0]["rule"] == "V05"
    assert data["silenced"][0]["reason"] == "so it is called"


def test_a_config_needs_no_functions_to_be_checked(folder: Path, run: Run) -> None:
    state = {"on": {"GO": {"target": "a", "guard": "open", "actions": "boil"}}}
    (folder / "tea.json").write_text(json.dumps({"id": "tea", "initial": "a", "states": {"a": state}}))
    result = run("check", "tea.json")
    assert result.exit_code == 1
    assert "$.states.a a\n  V01 error  nothing is said in this state" in result.stdout


def test_its_functions_are_read_where_they_are_given(folder: Path, run: Run) -> None:
    config = {
        "id": "tea",
        "initial": "a",
        "context": {"cup": None},
        "states": {
            "a": {"meta": {"prompt": "A tea?"}, "on": {"POUR": {"target": "b", "actions": "pour"}}},
            "b": {"type": "final", "meta": {"prompt": "In your {cup}."}},
        },
    }
    (folder / "tea.json").write_text(json.dumps(config))
    (folder / "sets.py").write_text("def pour():\n    return {'cup': 'mug'}\n\nactions = {'pour': pour}\n")
    (folder / "clears.py").write_text("def pour():\n    return {'cup': None}\n\nactions = {'pour': pour}\n")
    assert "V30" not in run("check", "tea.json", "--behaviour", "sets.py").stdout
    assert "V30 warning" in run("check", "tea.json", "--behaviour", "clears.py").stdout


def test_the_rules_can_be_listed_and_explained(run: Run) -> None:
    assert "V05  error    A name from the code in a text that is said" in run("check", "--list").stdout
    told = run("check", "--explain", "v13").stdout
    assert told.startswith("V13 error\n\nAn event that is destructive or irreversible, but has no confirmation.")
    assert 'confirm="Cancel your {drink}?"' in told
    assert "Silence:" in told


def test_what_a_module_prints_stays_out_of_the_json(coffee: Path, run: Run) -> None:
    coffee.write_text(f"print('hello')\n{SPOKEN}")
    result = run("check", "coffee.py", "--json")
    assert json.loads(result.stdout)["ok"]
    assert "hello" in result.stderr


def test_what_was_not_looked_at_is_reported(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmvoice.check.ways.MAX_STANDINGS", 4)
    there = {"meta": {"prompt": "Hi."}}
    regions = {
        name: {"initial": "a", "states": {"a": {**there, "on": {turn: "b"}}, "b": {**there, "on": {turn: "a"}}}}
        for name, turn in (("l", "TURN"), ("m", "ROLL"), ("r", "SWING"))
    }
    (folder / "big.json").write_text(json.dumps({"id": "m", "type": "parallel", "states": regions}))
    note = "4 combinations of active states were checked, and there are more"
    result = run("check", "big.json")
    assert (f"note: {note}\n" in result.stdout, result.exit_code) == (True, 0)
    assert json.loads(run("check", "big.json", "--json").stdout)["notes"] == [note]


def test_an_unknown_rule_and_no_target_are_reported(run: Run) -> None:
    wrong = run("check", "--explain", "V99")
    assert (wrong.exit_code, "there is no rule 'V99'" in wrong.stderr) == (2, True)
    assert run("check").exit_code == 2
