"""`fsmvoice why`, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

COFFEE = """\
from typing import Literal
from pydantic import BaseModel
from fsmvoice import State, VoiceMachine, forbid, guard, spoken, transition

class Context(BaseModel):
    cups: int = 3

class Coffee(VoiceMachine[Context], id="coffee"):
    idle = State(initial=True, prompt="What would you like?")
    busy = State(prompt="I make it.")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Literal["latte", "mocha"]) -> bool:
        return drink == "latte"

    @guard("There is no cup left.")
    def a_cup(self) -> bool:
        return self.context.cups > 0

    @transition("ORDER", source=idle, target=busy, guard=in_stock)
    def order(self, drink: Literal["latte", "mocha"]) -> None:
        raise RuntimeError("an action was run")

    @spoken("wash a cup")
    @transition("WASH", source=idle, guard=a_cup)
    def wash(self) -> None:
        raise RuntimeError("an action was run")

    @transition("DONE", source=busy, target=idle)
    def done(self) -> None: ...

    no_washing = forbid("WASH", source=busy, reason="I make coffee now.")
"""


@pytest.fixture(autouse=True)
def coffee(folder: Path) -> None:
    (folder / "coffee.py").write_text(COFFEE)


def test_the_winner_is_named_and_nothing_is_run(run: Run) -> None:
    result = run("why", "coffee.py", "ORDER", "--payload", "drink=latte")
    assert result.exit_code == 0
    assert result.stdout == (
        "ORDER in 'idle' with drink='latte'\n"
        "  1. idle --ORDER--> busy: guard 'in_stock' said yes, taken\n"
        "     $.states.idle.on.ORDER\n"
        "  → it leads to busy\n"
    )


def test_a_guard_that_says_no_is_named_with_what_is_said(run: Run) -> None:
    result = run("why", "coffee.py", "ORDER", "--in", "idle", "--payload", "drink=mocha")
    assert result.exit_code == 1
    assert "guard 'in_stock' said no" in result.stdout
    assert result.stdout.endswith("  → no transition takes it\n  It says: We are out of mocha.\n")


def test_the_context_decides_as_it_is_given(run: Run) -> None:
    assert run("why", "coffee.py", "WASH").exit_code == 0
    result = run("why", "coffee.py", "WASH", "--with", "cups=0")
    assert result.exit_code == 1
    assert "It says: There is no cup left." in result.stdout


def test_a_forbid_is_named(run: Run) -> None:
    result = run("why", "coffee.py", "WASH", "--in", "busy")
    assert "1. busy --WASH--> (stays): forbids it" in result.stdout
    assert "It says: I make coffee now." in result.stdout


def test_arguments_that_do_not_fit_are_told_before_any_guard(run: Run) -> None:
    result = run("why", "coffee.py", "ORDER", "--payload", "drink=tea")
    assert result.exit_code == 1
    assert "→ its arguments don't fit" in result.stdout


def test_json_has_the_candidates_and_the_winner(run: Run) -> None:
    data = json.loads(run("why", "coffee.py", "ORDER", "--payload", "drink=mocha", "--json").stdout)
    assert data["ok"] is False
    assert data["candidates"] == [
        {
            "source": "idle",
            "target": ["busy"],
            "guard": "in_stock",
            "answer": "said no",
            "detail": "",
            "where": "$.states.idle.on.ORDER",
        }
    ]
    assert data["winner"] is None
    assert data["say"] == "We are out of mocha."


def test_transitions_are_asked_in_order_up_to_the_one_that_is_taken(folder: Path, run: Run) -> None:
    arcs = [{"target": "b", "guard": "no"}, {"target": "c", "guard": "yes"}, "d"]
    states = {"a": {"on": {"GO": arcs}}, "b": {}, "c": {}, "d": {}}
    (folder / "m.json").write_text(json.dumps({"id": "m", "initial": "a", "states": states, "on": {"GO": ".d"}}))
    (folder / "m.py").write_text("guards = {'no': lambda: False, 'yes': lambda: True}\n")
    data = json.loads(run("why", "m.json", "GO", "--behaviour", "m.py", "--json").stdout)
    assert [one["answer"] for one in data["candidates"]] == ["said no", "taken", "not asked", "not asked"]
    assert data["winner"] == "$.states.a.on.GO[1]"
    unknown = run("why", "m.json", "GO")
    assert unknown.exit_code == 1
    assert "guard 'no' is not known" in unknown.stdout
    assert "give the functions with --behaviour FILE" in unknown.stdout


def test_a_guard_that_fails_is_reported_with_its_error(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE.replace("return self.context.cups > 0", "return 1 / 0 > 0"))
    result = run("why", "coffee.py", "WASH")
    assert "guard 'a_cup' failed: ZeroDivisionError: division by zero" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("ORDR",), "has no event 'ORDR'; did you mean 'ORDER'?"),
        (("ORDER", "--in", "idel"), "has no state 'idel'; did you mean 'idle'?"),
        (("WASH", "--with", "cup=1"), "has no field 'cup'; did you mean 'cups'?"),
        (("WASH", "--with", "cups"), "'cups' should be NAME=VALUE"),
        (("WASH", "--with", "cups=many"), "cups"),
    ],
)
def test_what_is_misspelt_is_reported_with_what_was_meant(arguments: tuple[str, ...], told: str, run: Run) -> None:
    result = run("why", "coffee.py", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
