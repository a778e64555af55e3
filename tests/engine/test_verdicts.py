"""What can be done now, and why not."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

import enum
import logging
from collections.abc import Mapping
from typing import Any, Literal

import pytest

from fsmvoice.engine.verdicts import Verdict
from fsmvoice.errors import Refuse
from fsmvoice.model.payload import Parameter
from tests.engine.making import Actor, actor_of

Drink = Literal["latte", "mocha", "tea"]


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


def ordering(guard: Any, *parameters: Parameter) -> Actor:
    return actor_of(
        {
            "initial": "a",
            "context": {"open": True},
            "states": {"a": {"on": {"ORDER": {"target": "b", "guard": "ok"}}}, "b": {}},
        },
        guards={"ok": guard},
        payloads={"ORDER": parameters} if parameters else None,
    )


def verdict(actor: Actor, event: str = "ORDER") -> Verdict:
    return actor.snapshot.verdicts[event]


def test_events_stand_in_the_order_in_which_the_active_states_declare_them() -> None:
    actor = actor_of(
        {
            "initial": "a",
            "on": {"HELP": {"actions": "n"}},
            "states": {"z": {"on": {"LATE": "a"}}, "a": {"on": {"Y": "z", "X": "z", "*": "z"}}},
        },
        actions={"n": lambda: None},
    )
    assert actor.snapshot.available_events == ("HELP", "Y", "X")


def test_a_guard_without_payload_blocks_or_opens() -> None:
    actor = ordering(lambda context: context["open"])
    assert verdict(actor).possible
    actor.context["open"] = False
    blocked = verdict(actor)
    assert (blocked.possible, blocked.reason) == (False, "guard-rejected")
    assert [arc.guard.type for arc in blocked.arcs if arc.guard] == ["ok"]
    assert [item.event for item in actor.snapshot.blocked_events] == ["ORDER"]


def test_a_guard_on_a_choice_gives_the_choices_that_would_be_taken() -> None:
    actor = ordering(lambda event: event["drink"] != "mocha", Parameter("drink", Drink))
    assert verdict(actor).accepted == {"drink": ("latte", "tea")}
    assert not verdict(actor).depends_on_arguments


def test_a_guard_that_accepts_every_choice_narrows_nothing() -> None:
    actor = ordering(lambda event: bool(event["drink"]), Parameter("drink", Drink))
    assert verdict(actor) == Verdict("ORDER", True)


def test_a_guard_that_accepts_no_choice_blocks() -> None:
    actor = ordering(lambda event: event["drink"] == "beer", Parameter("drink", Drink))
    assert (verdict(actor).possible, verdict(actor).reason) == (False, "guard-rejected")


def test_a_default_outside_the_choices_is_tried_too() -> None:
    actor = ordering(lambda event: event["size"] is None, Parameter("size", Size | None, None))
    assert verdict(actor).accepted == {"size": (None,)}


def test_choices_that_are_taken_only_together_depend_on_the_arguments() -> None:
    actor = ordering(
        lambda event: event["hot"] != (event["size"] is Size.LARGE), Parameter("hot", bool), Parameter("size", Size)
    )
    found = verdict(actor)
    assert (found.possible, found.accepted, found.depends_on_arguments) == (True, None, True)


@pytest.mark.parametrize(
    "parameters",
    [
        (Parameter("drink", Drink), Parameter("note", str)),
        tuple(Parameter(name, Drink) for name in "abcd"),
    ],
    ids=["a string", "81 combinations"],
)
def test_values_that_can_not_be_counted_depend_on_the_arguments(parameters: tuple[Parameter, ...]) -> None:
    def ok(event: Mapping[str, Any]) -> bool:
        raise AssertionError(f"asked with {event}")

    assert verdict(ordering(ok, *parameters)) == Verdict("ORDER", True, depends_on_arguments=True)


def test_a_guard_that_wants_an_event_nobody_described_is_not_asked_with_nothing() -> None:
    assert verdict(ordering(lambda event: event["amount"] > 3)) == Verdict("ORDER", True, depends_on_arguments=True)


def test_a_guard_that_raises_counts_as_no_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def ok(context: Mapping[str, Any]) -> bool:
        return bool(context["closed"])

    with caplog.at_level(logging.WARNING, "fsmvoice"):
        found = verdict(ordering(ok))
    assert (found.possible, found.failed, len(found.arcs)) == (False, True, 1)
    (line,) = caplog.text.splitlines()
    assert "the guard 'ok' raised KeyError" in line


def test_a_guard_that_refuses_counts_as_no() -> None:
    def ok() -> bool:
        raise Refuse("Not today.")

    found = verdict(ordering(ok))
    assert (found.possible, found.failed) == (False, False)


def test_a_forbidden_event_is_blocked_with_its_arc() -> None:
    actor = actor_of(
        {
            "initial": "a",
            "on": {"OFF": ".b"},
            "states": {"a": {"on": {"OFF": {"meta": {"reason": "It is hot."}}}}, "b": {}},
        }
    )
    found = verdict(actor, "OFF")
    assert (found.possible, found.reason, found.arcs[0].meta) == (False, "guard-rejected", {"reason": "It is hot."})
    outcome = actor.send_sync("OFF")
    assert (outcome.ok, outcome.reason, outcome.changed, outcome.state) == (False, "guard-rejected", False, "a")
    assert outcome.report.rejected == found.arcs


def test_an_empty_list_leaves_the_event_to_the_parent() -> None:
    actor = actor_of({"initial": "a", "on": {"GO": ".b"}, "states": {"a": {"on": {"GO": []}}, "b": {}}})
    assert actor.snapshot.available_events == ("GO",)
    assert actor.send_sync("GO").state == "b"


def test_can_asks_with_just_this_payload() -> None:
    actor = ordering(lambda event: event["drink"] != "mocha", Parameter("drink", Drink))
    assert actor.can("ORDER", drink="tea")
    assert not actor.can("ORDER", drink="mocha")
    assert not actor.can("ORDER", drink="beer")
    assert actor.can("ORDER")
    assert not actor.can("NOTHING")


def test_an_old_snapshot_is_judged_by_its_own_context() -> None:
    actor: Actor = actor_of(
        {"initial": "a", "context": {"n": 0}, "states": {"a": {"on": {"ADD": {"actions": "add", "guard": "few"}}}}},
        actions={"add": lambda context: {"n": context["n"] + 1}},
        guards={"few": lambda: actor.context["n"] < 1},
    )
    before = actor.snapshot
    after = actor.send_sync("ADD").snapshot
    assert (before.available_events, after.available_events) == (("ADD",), ())
