"""A machine's definition, as `JSON.stringify(machine)` writes it, is read as the config it was made of."""

from __future__ import annotations

from typing import Any

from fsmvoice.importers.xstate import from_xstate
from fsmvoice.machine.actor import create_fsm_actor


def node(key: str, **said: Any) -> dict[str, Any]:
    bare: dict[str, Any] = {"initial": {"target": [], "source": f"#{key}", "actions": []}, "history": False}
    empty: dict[str, Any] = {
        "states": {},
        "on": {},
        "transitions": [],
        "entry": [],
        "exit": [],
        "invoke": [],
        "tags": [],
    }
    return {"id": key, "key": key, "type": "atomic", **bare, **empty, "order": 1, **said}


def arc(event: str, target: str, /, **said: Any) -> dict[str, Any]:
    return {"target": [target], "actions": [], "source": "#m_a", "reenter": False, "eventType": event, **said}


DONE, FAILED, WAITED = "xstate.done.actor.f", "xstate.error.actor.f", "xstate.after.500.m_a"
DEFINITION = node(
    "m",
    type="compound",
    initial={"target": ["#m_a"], "source": "#m", "actions": []},
    states={
        "a": node(
            "m_a",
            on={
                "GO": [arc("GO", "#m_b", guard="ok", actions=[{"type": "x"}])],
                WAITED: [arc(WAITED, "#m_b", delay=500, event=WAITED)],
                DONE: [arc(DONE, "#m_b")],
                FAILED: [arc(FAILED, "#m_a", reenter=True)],
            },
            entry=[{"type": "y"}, {"type": "xstate.raise"}],
            exit=[{"type": "xstate.cancel"}],
            invoke=[{"type": "xstate.invoke", "src": "fetch", "id": "f"}],
            tags=["busy"],
        ),
        "b": node("m_b", type="final", output={"n": 1}),
    },
    on={"xstate.done.state.m": [arc("xstate.done.state.m", "#m_a")]},
    order=-1,
)


def test_it_is_the_config_it_was_made_of() -> None:
    assert from_xstate(DEFINITION).config.to_dict() == {
        "id": "m",
        "initial": "#m_a",
        "states": {
            "a": {
                "id": "m_a",
                "on": {"GO": {"target": "#m_b", "guard": "ok", "actions": "x"}},
                "after": {"500": "#m_b"},
                "invoke": {"src": "fetch", "id": "f", "onDone": "#m_b", "onError": {"target": "#m_a", "reenter": True}},
                "entry": "y",
                "tags": "busy",
            },
            "b": {"id": "m_b", "type": "final", "output": {"n": 1}},
        },
        "onDone": "#m_a",
    }


def test_what_it_does_not_say_is_reported() -> None:
    assert from_xstate(DEFINITION).notes == (
        "$: a machine's definition; it does not say the context, always transitions and the targets of history",
    )


async def test_version_4s_names_of_done_events_are_todays() -> None:
    document = {
        "id": "m",
        "initial": "a",
        "states": {"a": {"initial": "x", "states": {"x": {"invoke": {"src": "s", "id": "f"}}}}, "b": {}},
        "on": {"done.invoke.f": {"target": "b", "internal": True}},
    }
    imported = from_xstate(document)
    assert "$.on['done.invoke.f']: the event is called 'xstate.done.actor.f' here" in imported.notes
    actor = create_fsm_actor(imported, services={"s": lambda: 1})
    await actor.settled()
    assert actor.snapshot.value == "b"
    await actor.aclose()


def test_version_4s_definition_says_more() -> None:
    v4: Any = {**node("m"), "type": "compound", "initial": "a", "context": {"n": 1}, "activities": []}
    always = {"target": ["#m_b"], "source": "#m_a", "internal": False, "actions": [], "eventType": ""}
    waited = "xstate.after(500)#m_a"
    a = node(
        "m_a",
        on={"": [always], waited: [{**always, "eventType": waited, "delay": 500}]},
        entry=[{"type": "xstate.send", "delay": 500, "event": {"type": waited}}],
        exit=[{"type": "xstate.cancel", "sendId": waited}],
    )
    config = from_xstate({**v4, "states": {"a": a, "b": node("m_b")}}).config
    assert config.context == {"n": 1}
    assert config.to_dict()["states"]["a"] == {
        "id": "m_a",
        "always": {"target": "#m_b", "reenter": True},
        "after": {"500": {"target": "#m_b", "reenter": True}},
    }


def test_a_timer_that_leads_nowhere_is_left_out_and_told() -> None:
    inner = node("m_a", entry=[{"type": "hi"}, {"type": "xstate.raise"}], exit=[{"type": "xstate.cancel"}])
    imported = from_xstate(node("m", initial={"target": ["#m_a"]}, states={"a": inner}))
    assert imported.config.to_dict()["states"]["a"] == {"id": "m_a", "entry": "hi"}
    assert "$.states.a.entry: ends with what starts timers that lead nowhere; they are left out" in imported.notes
