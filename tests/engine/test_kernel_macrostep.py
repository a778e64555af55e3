"""What follows an event before the next: always, raised events, and loops that end nowhere."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fsmvoice.errors import ReentrancyError, RunawayError
from tests.engine.making import Actor, Log, actor_of


def test_always_goes_on_while_guards_hold() -> None:
    actor = actor_of(
        {
            "initial": "count",
            "context": {"n": 0},
            "states": {
                "count": {
                    "always": [{"guard": "more", "actions": "inc"}, {"guard": "done", "target": "full"}],
                },
                "full": {},
            },
        },
        actions={"inc": lambda context: {"n": context["n"] + 1}},
        guards={"more": lambda context: context["n"] < 3, "done": lambda context: context["n"] == 3},
    )
    assert actor.snapshot.value == "full"
    assert actor.context == {"n": 3}


def test_always_sees_the_event_even_if_nothing_took_it() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"always": {"target": "b", "guard": "shaken"}}, "b": {}}},
        guards={"shaken": lambda event: event["type"] == "SHAKE"},
    )
    outcome = actor.send_sync("SHAKE")
    assert (outcome.ok, outcome.state) == (True, "b")


def test_always_that_changes_nothing_runs_once() -> None:
    log = Log()
    actor_of(
        {"initial": "a", "states": {"a": {"always": {"target": "a", "reenter": True, "actions": "look"}}}},
        actions=log.actions("look"),
    )
    assert log == ["look"]


def test_raised_events_are_handled_in_order_after_always() -> None:
    log = Log()

    def both(queue: Any) -> None:
        queue("ONE")
        queue({"type": "TWO", "n": 2})

    def note(event: Mapping[str, Any]) -> None:
        log.append(f"{event['type']} {event.get('n')}")

    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {"on": {"GO": {"target": "b", "actions": "both"}}},
                "b": {"always": "c"},
                "c": {"on": {"ONE": {"actions": "note"}, "TWO": {"actions": "note"}}},
            },
        },
        actions={"both": both, "note": note},
    )
    assert actor.send_sync("GO").state == "c"
    assert log == ["ONE None", "TWO 2"]


def test_a_raised_event_that_nothing_takes_is_dropped() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "raise"}}}, "b": {}}},
        actions={"raise": lambda queue: queue("NOBODY")},
    )
    assert actor.send_sync("GO").ok


def test_a_guard_can_not_queue() -> None:
    seen: list[str] = []

    def look(context: Any) -> bool:
        try:
            actor.queue("X")
        except ReentrancyError as error:
            seen.append(str(error))
        return True

    actor: Actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": {"target": "a", "guard": "look"}}}}}, guards={"look": look}
    )
    actor.send_sync("GO")
    assert "can't be queued by a guard" in seen[0]


def test_an_endless_always_loop_is_named_and_changes_nothing() -> None:
    actor = actor_of(
        {"initial": "rest", "states": {"rest": {"on": {"GO": "a"}}, "a": {"always": "b"}, "b": {"always": "a"}}}
    )
    with pytest.raises(RunawayError, match="cycles through 'b' -> 'a' -> 'b' by") as caught:
        actor.send_sync("GO")
    assert set(caught.value.cycle) == {"a", "b"}
    assert (actor.snapshot.value, actor.snapshot.revision) == ("rest", 0)


def test_an_endless_raise_loop_is_named_and_changes_nothing() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": {"actions": "again"}}}}},
        actions={"again": lambda queue: queue("GO")},
    )
    with pytest.raises(RunawayError, match=r"\$\.states\.a\.on\.GO") as caught:
        actor.send_sync("GO")
    assert caught.value.cycle == ("a",)


def test_an_endless_loop_through_an_always_that_only_counts_is_bounded() -> None:
    config = {"initial": "a", "context": {"n": 0}, "states": {"a": {"always": {"actions": "inc"}}}}
    with pytest.raises(RunawayError):
        actor_of(config, actions={"inc": lambda context: {"n": context["n"] + 1}})
