"""Guards and delays of a config look; one that changes the context or the event has failed."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice import ActionFailed, create_fsm_actor


def adds(context: dict[str, Any]) -> bool:
    context["items"].append("cup")
    return True


def sets(context: dict[str, Any], event: dict[str, Any]) -> bool:
    context["last"] = event["type"]
    return True


@pytest.mark.parametrize(("guard", "field"), [(adds, "items"), (sets, "last")])
def test_a_guard_that_changes_the_context_has_failed(guard: Any, field: str) -> None:
    config: dict[str, Any] = {
        "initial": "a",
        "context": {"items": []},
        "states": {"a": {"on": {"GO": {"target": "b", "guard": "g"}}}, "b": {}},
    }
    actor = create_fsm_actor(config, guards={"g": guard})
    with pytest.raises(ActionFailed, match=f"the guard 'g' raised TypeError.*it changed '{field}' in the context"):
        actor.send_sync("GO")
    assert (actor.snapshot.value, actor.context) == ("a", {"items": []})


def test_a_delay_that_changes_the_context_has_failed() -> None:
    def wait(context: dict[str, Any]) -> int:
        context["waits"] = True
        return 5

    config = {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {"after": {"wait": "a"}}}}
    actor = create_fsm_actor(config, delays={"wait": wait})
    with pytest.raises(ActionFailed, match="it changed 'waits' in the context"):
        actor.send_sync("GO")
    assert actor.context == {}
