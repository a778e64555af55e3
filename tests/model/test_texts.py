"""Texts in a config's `meta`: ours are checked, slips are told, and what is its author's own is kept silently."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.model.parse import parse_config


def machine(meta: dict[str, Any] | None = None, state: Any = None, arc: Any = None, **more: Any) -> dict[str, Any]:
    """One state with one event and one guard, with these `meta`s."""
    order = {"target": "a", "guard": "inStock", "meta": arc}
    return {"initial": "a", "states": {"a": {"meta": state, "on": {"ORDER": order}, **more}}, "meta": meta}


def told(config: dict[str, Any]) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        parse_config(config)
    return [str(problem) for problem in caught.value.problems]


def of_event(**entry: Any) -> dict[str, Any]:
    return machine({"events": {"ORDER": entry}})


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (of_event(sayz="x"), "$.meta.events.ORDER.sayz: unknown key; did you mean 'says'?"),
        (of_event(colour="x"), "$.meta.events.ORDER.colour: unknown key; it may hold label, says"),
        (machine({"events": {"ODER": {}}}), "$.meta.events.ODER: no transition has this event; did you mean 'ORDER'?"),
        (machine({"guards": {"inStok": {}}}), "$.meta.guards.inStok: no transition has this guard; did you mean 'inSt"),
        (machine({"guards": {"inStock": {"raeson": "x"}}}), "$.meta.guards.inStock.raeson: unknown key; did you"),
        (machine({"guards": {"inStock": 3}}), "$.meta.guards.inStock: should be an object, not 3; it may hold reason"),
        (machine({"guards": {"inStock": {"reason": 3}}}), "$.meta.guards.inStock.reason: should be a string, not 3"),
        (machine({"event": {"ORDER": {}}}), "$.meta.event: unknown key; did you mean 'events'?"),
        (machine({"events": []}), "$.meta.events: should be an object, not []"),
        (machine({"locale": 3}), "$.meta.locale: should be a string, not 3"),
        (machine({"restart_when_don": True}), "$.meta.restart_when_don: unknown key; did you mean 'restartWhenDo"),
        (machine(state={"promt": "Hi."}), "$.states.a.meta.promt: unknown key; did you mean 'prompt'?"),
        (machine(state={"Prompts": ["Hi."]}), "$.states.a.meta.Prompts: unknown key; did you mean 'prompt'?"),
        (machine(arc={"say": "Hi."}), "$.states.a.on.ORDER.meta.say: unknown key; did you mean 'says'?"),
        (machine(arc={"resaon": "No."}), "$.states.a.on.ORDER.meta.resaon: unknown key; did you mean 'reason'?"),
        (machine(arc={"says": 3}), "$.states.a.on.ORDER.meta.says: should be a string, not 3"),
        (machine(state={"prompt": "Hi {a.b}."}), "$.states.a.meta.prompt: the slot {a.b} is not a plain field; a slot"),
        (machine(state={"prompt": ["Hi.", "{}"]}), "$.states.a.meta.prompt[1]: the slot {} is not a plain field"),
        (machine({"guards": {"inStock": "No {x[0]}."}}), "$.meta.guards.inStock: the slot {x[0]} is not a plain field"),
        (of_event(confirm="Sure, {x?"), "$.meta.events.ORDER.confirm: has an unmatched brace"),
        (of_event(utterances=["(a|b"]), "$.meta.events.ORDER.utterances: '(a|b': '(' is unmatched; write (one|"),
        (
            machine(after={"-5": "a"}),
            "$.states.a.after['-5']: -5 milliseconds is negative; a delay is 0 or more",
        ),
    ],
)
def test_a_text_that_would_never_be_said_is_reported(config: dict[str, Any], problem: str) -> None:
    (only,) = told(config)
    assert only.startswith(problem)


@pytest.mark.parametrize(
    "config",
    [
        machine({"guards": {"inStock": "We are out of {drink}."}}),
        machine({"author": "me", "version": 3, "stately": {"x": 1}}, {"color": "red", "layout": {}}, {"season": "May"}),
        machine(state={"promt": 3}),
        machine(arc={"days": "Mon", "saying": "x"}),
        machine(state={"prompt": "Hi {first name|you}.", "prompts": "kept beside it"}),
        machine(after={"0": "a", "soon": "a"}),
        {"initial": "a", "states": {"a": {"on": {"*": "a"}}}, "meta": {"events": {"ANY": {"label": "go"}}}},
    ],
)
def test_what_is_not_ours_is_kept_silently(config: dict[str, Any]) -> None:
    parsed = parse_config(config)
    assert parsed.meta == config["meta"]
    assert parsed.states["a"].meta == config["states"]["a"].get("meta")
