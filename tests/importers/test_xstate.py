"""XState's JSON is read whole: each key means something here, is kept, or is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.machine.actor import create_fsm_actor
from fsmvoice.model.imported import Imported

STATES: dict[str, Any] = {"a": {"on": {"GO": "b"}}, "b": {}}


def machine(**rest: Any) -> Imported:
    return from_xstate({"id": "m", "initial": "a", "states": STATES, **rest})


def problems(document: Any) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        from_xstate(document)
    return [str(problem) for problem in caught.value.problems]


def test_a_config_of_this_package_is_read_as_it_is() -> None:
    document = {
        "id": "m",
        "initial": "a",
        "context": {"n": 1},
        "states": {
            "a": {"on": {"GO": {"target": "b", "guard": "ok", "actions": ["one", "two"]}}, "tags": ["busy", "x"]},
            "b": {"type": "final", "output": {"n": 1}, "meta": {"prompt": "Done."}},
        },
    }
    imported = from_xstate(document)
    assert imported.config.to_dict() == document
    assert imported.notes == ()


def test_an_unknown_key_is_kept_and_told() -> None:
    imported = machine(layout={"x": 1}, states={**STATES, "b": {"route": {}, "meta": {"prompt": "Hi."}}})
    assert imported.config.meta == {"xstate": {"layout": {"x": 1}}}
    assert imported.config.states["b"].meta == {"prompt": "Hi.", "xstate": {"route": {}}}
    assert imported.notes == (
        "$.states.b.route: has no meaning here; it is kept in meta.xstate",
        "$.layout: has no meaning here; it is kept in meta.xstate",
    )


def test_a_key_one_letter_off_is_taken_for_a_misspelling() -> None:
    assert problems({"initial": "a", "states": {"a": {"onn": {}, "alwys": "a"}}}) == [
        "$.states.a.onn: unknown key 'onn'; did you mean 'on'?",
        "$.states.a.alwys: unknown key 'alwys'; did you mean 'always'?",
    ]


def test_keys_that_are_for_tools_only_are_reported() -> None:
    assert machine(tsTypes={}, predictableActionArguments=True).notes[0] == "$: read as XState version 4"
    assert "$.types: left out: it is for TypeScript only" in machine(types={}).notes


def test_a_context_that_is_not_an_object_is_kept_and_told() -> None:
    imported = machine(context="{{context}}")
    assert imported.config.context == {}
    assert imported.config.meta == {"xstate": {"context": "{{context}}"}}


def test_meta_that_is_not_an_object_is_kept_and_told() -> None:
    imported = machine(meta=["green"])
    assert imported.config.meta == {"xstate": {"meta": ["green"]}}
    assert imported.notes == ("$.meta: is not an object; it is kept in meta.xstate.meta",)


def test_all_problems_are_reported_at_once_by_their_place_in_the_document() -> None:
    document: Any = {
        "initial": "a",
        "states": {
            "a": {"on": {"": [{"cond": "x", "target": "nope"}, {"target": "b"}], "E": 5}},
            "b": {"states": {"c": {}}, "onEntry": [7]},
        },
    }
    assert problems(document) == [
        '$.states.a.on.E: is not a transition; write a target, or {"target": ..., "guard": ..., "actions": [...]}',
        '$.states.b.onEntry[0]: 7 is not an action; write its name, or {"type": name, "params": {...}}',
        "$.states.a.on[''][0].target: unknown target 'nope'; there are a, b",
        '$.states.b: initial is missing; it could be "initial": "c"',
    ]


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("", "$: is not JSON"),
        ("[1]", "$: is list"),
        ("[" * 5000 + "]" * 5000, "$: is not JSON: maximum recursion"),
        (
            {"initial": "a", "states": {"a": {"meta": json.loads("[" * 300 + "]" * 300)}}},
            "$: is nested deeper than 200",
        ),
        (" " * 10_000_001, "$: has 10,000,001 bytes; at most 10,000,000 are read"),
        ({"initial": "a", "states": {"a": None}}, "$.states.a: is not a state"),
        ({"initial": "a", "states": 5}, "$.states: is not an object"),
        ({"initial": "a", "states": {"a": {"on": 5}}}, "$.states.a.on: is not an object"),
        ({"initial": 5, "states": {"a": {}}}, "$.initial: is not a name of a state"),
        ({}, "$.states: a machine needs states"),
    ],
)
def test_what_can_not_be_read_is_refused_with_its_place(document: Any, told: str) -> None:
    assert problems(document)[0].startswith(told)


def test_states_deeper_than_64_are_refused() -> None:
    document: dict[str, Any] = {}
    for _ in range(70):
        document = {"initial": "a", "states": {"a": document}}
    assert any(problem.endswith("states are nested deeper than 64") for problem in problems(document))


def test_a_byte_order_mark_is_no_part_of_the_document() -> None:
    text = json.dumps({"initial": "a", "states": STATES})
    assert from_xstate(("\ufeff" + text).encode()).config == from_xstate("\ufeff" + text).config


def test_names_that_mean_something_in_javascript_are_names() -> None:
    text = '{"initial": "__proto__", "states": {"__proto__": {"on": {"constructor": "toString"}}, "toString": {}}}'
    actor = create_fsm_actor(from_xstate(text))
    assert actor.send_sync("constructor").state == "toString"


def test_what_version_4_called_otherwise_means_the_same() -> None:
    imported = from_xstate(
        {
            "id": "m",
            "initial": "a",
            "strict": True,
            "states": {
                "a": {
                    "onEntry": "one",
                    "onExit": ["two"],
                    "activities": ["beep"],
                    "on": {"GO": {"target": "b", "cond": "ok"}},
                    "after": [{"delay": 1000, "target": "b"}, {"delay": "slow", "target": "c"}],
                },
                "b": {"parallel": True, "states": {"x": {}, "y": {}}},
                "c": {"type": "final", "data": {"n": 1}},
            },
        }
    )
    a, b, c = imported.config.to_dict()["states"].values()
    assert a == {
        "on": {"GO": {"target": "b", "guard": "ok"}},
        "after": {"1000": "b", "slow": "c"},
        "entry": "one",
        "exit": "two",
        "invoke": {"src": "beep", "id": "beep"},
    }
    assert b["type"] == "parallel"
    assert c == {"type": "final", "output": {"n": 1}}


def test_output_that_a_function_works_out_is_kept_and_told() -> None:
    imported = machine(states={"a": {"type": "final", "output": {"n": {"__fn": ""}}}})
    assert imported.config.states["a"].output is None
    assert imported.notes == (
        "$.states.a.output: is worked out by a function, and is data here; it is kept in meta.xstate",
    )


def test_what_a_final_state_has_in_it_is_kept_and_told() -> None:
    imported = machine(states={"a": {"type": "final", "initial": "b", "states": {"b": {}}}})
    assert imported.config.to_dict()["states"]["a"]["meta"]["xstate"] == {"initial": "b", "states": {"b": {}}}
    assert imported.notes[-1] == "$.states.a.states: leads nowhere, as the state is final; it is kept in meta.xstate"


def test_cond_beside_the_words_of_version_5_is_the_guard_and_told() -> None:
    arcs = {"GO": {"target": "a", "cond": "ok"}, "ON": {"target": "a", "guard": "ok"}}
    imported = machine(states={"a": {"on": arcs}})
    assert imported.config.to_dict()["states"]["a"]["on"]["GO"] == {"target": "a", "guard": "ok"}
    assert imported.notes == (
        "$.states.a.on.GO.cond: is version 4's word, which version 5 overlooks; it is the guard here",
    )
