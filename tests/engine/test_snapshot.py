"""What a user sees of a run."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.context import context_type_for
from fsmvoice.model.private import Private
from tests.engine.making import actor_of

KIOSK: dict[str, Any] = {
    "initial": "on",
    "tags": "open",
    "states": {
        "on": {
            "type": "parallel",
            "states": {
                "brew": {"initial": "grinding", "states": {"grinding": {"tags": ["busy", "loud"]}, "ready": {}}},
                "light": {"initial": "dim", "states": {"dim": {}, "bright": {}}},
                "fan": {},
            },
        },
    },
}


class Order(BaseModel):
    drink: str = "latte"
    card: Annotated[str, Private] = "4111"


class Words:
    """Speaks like a test."""

    def outcome(self, outcome: Any, /) -> str:
        return f"{outcome.event}: {outcome.reason or 'done'}"

    def status(self, snapshot: Any, /) -> str:
        return str(snapshot.value)

    def reason(self, snapshot: Any, event: str, arcs: tuple[TransitionConfig, ...], payload: Any, /) -> str:
        return f"{event} is closed by {len(arcs)}"


def test_the_value_is_xstates() -> None:
    assert actor_of(KIOSK).snapshot.value == {"on": {"brew": "grinding", "light": "dim", "fan": {}}}
    assert actor_of({"initial": "a", "states": {"a": {}}}).snapshot.value == "a"


def test_the_value_is_the_readers_own() -> None:
    snapshot = actor_of(KIOSK).snapshot
    value = snapshot.value
    assert isinstance(value, dict)
    value.clear()
    assert snapshot.value != {}


def test_tags_are_those_of_all_active_states() -> None:
    assert actor_of(KIOSK).snapshot.tags == {"open", "busy", "loud"}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("on.brew", True),
        ("grinding", True),
        ("ready", False),
        ("nowhere", False),
        ("#(machine).on", True),
        ({"on": {"light": "dim"}}, True),
        ({"on": {"light": "bright"}}, False),
        ({"on": "fan"}, True),
        ({"off": "fan"}, False),
    ],
)
def test_matches_takes_a_path_an_id_a_name_or_a_part_of_the_value(reference: Any, expected: bool) -> None:
    assert actor_of(KIOSK).snapshot.matches(reference) is expected


def test_the_dict_for_clients_has_no_private_field_and_says_what_is_closed() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"PAY": {"target": "b", "guard": "no"}, "GO": "b"}}, "b": {}}},
        guards={"no": lambda: False},
        context=context_type_for(Order),
        speak=Words(),
    )
    assert actor.snapshot.to_dict() == {
        "value": "a",
        "context": {"drink": "latte"},
        "availableEvents": ["GO"],
        "blockedEvents": [{"event": "PAY", "reason": "guard-rejected", "say": "PAY is closed by 1"}],
        "done": False,
        "revision": 0,
    }


def test_a_snapshot_without_an_actor_says_the_same() -> None:
    actor = actor_of({"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}})
    assert Snapshot[Any](actor.chart, actor.run_state).to_dict() == actor.snapshot.to_dict()


def test_an_outcome_speaks_only_where_something_was_given_to_speak_with() -> None:
    config = {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}}
    assert actor_of(config).send_sync("GO").say == ""
    assert actor_of(config, speak=Words()).send_sync("NO").say == "NO: no-transition"
