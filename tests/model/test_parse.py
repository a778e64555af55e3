"""A config that is wrong says where, what and what would be right, and everything at once."""

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.model.parse import parse_config

KINDS = "it should be 'atomic', 'compound', 'parallel', 'final' or 'history'"


def refusals(data: Any) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        parse_config(data)
    return [str(problem) for problem in caught.value.problems]


def test_all_problems_come_at_once_with_their_paths() -> None:
    found = refusals(
        {
            "initial": "idel",
            "states": {
                "idle": {"on": {"ORDER": {"taget": "b", "target": "b"}, "BACK": "idl"}},
                "b": {"onn": {}, "type": "paralel"},
            },
        }
    )
    assert found == [
        "$.states.idle.on.ORDER.taget: unknown key 'taget'; did you mean 'target'?",
        "$.states.b.type: 'paralel' is not allowed; " + KINDS,
        "$.states.b.onn: unknown key 'onn'; did you mean 'on'?",
        "$.initial: unknown state 'idel'; did you mean 'idle'?",
        "$.states.idle.on.BACK.target: unknown target 'idl'; did you mean 'idle'?",
    ]


def spoken(events: Any) -> dict[str, Any]:
    return {"initial": "a", "states": {"a": {"on": {"E": "a"}}}, "meta": {"events": events}}


MISTAKES: list[tuple[Any, str]] = [
    ("{", "$: is not JSON"),
    ("[]", "$: is list"),
    ("[" * 100_000, "$: is not JSON"),
    ({}, "$.states: a machine needs states"),
    ({"initial": 3, "states": {"a": {}}}, "$.initial: should be an object, not 3"),
    ({"states": {"a": {}}}, '$: initial is missing; it could be "initial": "a"'),
    ({"initial": "a", "states": {"a": {"on": {"E": 3}}}}, "$.states.a.on.E: should be an object, not 3"),
    ({"initial": "a", "states": {"a b": {"on": {"E": "x"}}}}, "$.states['a b'].on.E.target: unknown target 'x'"),
    ({"initial": "a", "states": {"a": {"on": {"E": [{}, "x"]}}}}, "$.states.a.on.E[1].target: unknown target 'x'"),
    ({"initial": "a", "states": {"a": {"cond": "x"}}}, "unknown key 'cond'; write \"guard\""),
    ({"initial": "a", "states": {"a": {}}, "on": {"E": "a"}}, "from the root, write '.a'"),
    (
        {"initial": "a", "states": {"a": {"states": {"b": {}}}}},
        '$.states.a: initial is missing; it could be "initial": "b"',
    ),
    (
        {"initial": "a", "states": {"a": {"final": True, "states": {"b": {}}}}},
        "a final state has no states of its own",
    ),
    ({"initial": "a", "states": {"a": {"id": "x"}, "b": {"id": "x"}}}, "the id 'x' is used twice"),
    ({"initial": "a", "states": {"a": {"meta": {"prompt": 3}}}}, "$.states.a.meta.prompt: should be a string"),
    ({"initial": "a", "states": {"a": {"target": "a"}}}, "only a history state has a target"),
    ({"initial": "a", "states": {"a": {"type": "parallel"}}}, "a parallel state needs states"),
    ({"initial": "a", "states": {"a": {}, 1: {}}}, '$.states: the name 1 should be a string; write "1"'),
    ({"initial": "a", "states": {"a": {}}, "context": {"f": print}}, "$.context.f: is not valid JSON"),
    ({"initial": "a", "states": {"a": {"final": True, "output": print}}}, "$.states.a.output: is not valid JSON"),
    ({"initial": "a", "states": {"a": {"meta": {"prompt": "\ud800"}}}}, "$.states.a.meta.prompt: is not valid JSON"),
    ({"initial": "a", "states": {"a": {"on": {"\ud800": "a"}}}}, "contains half a surrogate pair"),
    (spoken({"E": 5}), "$.meta.events.E: should be an object, not 5; it may hold label, says"),
    (spoken({"E": {"label": 5}}), "$.meta.events.E.label: should be a string, not 5"),
    (spoken({"E": {"tool": "no"}}), "$.meta.events.E.tool: should be true or false, not 'no'"),
    (spoken({"E": {"answers": "maybe"}}), '$.meta.events.E.answers: should be "yes" or "no"'),
    (spoken({"E": {"lable": "x"}}), "$.meta.events.E.lable: unknown key; did you mean 'label'?"),
]


@pytest.mark.parametrize(("data", "told"), MISTAKES)
def test_each_mistake_is_reported_in_its_place(data: Any, told: str) -> None:
    assert any(told in problem for problem in refusals(data)), refusals(data)


def test_a_function_in_a_config_is_reported_where_it_belongs() -> None:
    def set_drink() -> None: ...

    [told] = refusals({"initial": "a", "states": {"a": {"on": {"E": {"actions": set_drink}}}}})
    assert "Write 'set_drink' here and pass the function" in told


@pytest.mark.parametrize("levels", [66, 100, 5000])
def test_states_nested_without_end_are_refused(levels: int) -> None:
    data: dict[str, Any] = {}
    for _ in range(levels):
        data = {"initial": "a", "states": {"a": data}}
    assert any("nested deeper than 64" in problem for problem in refusals(data))


def test_a_number_that_is_too_long_for_a_delay_is_reported() -> None:
    [told] = refusals({"initial": "a", "states": {"a": {"after": {10**400: "a"}}}})
    assert "should be a string" in told


def test_delays_may_be_numbers_in_python() -> None:
    config = parse_config({"initial": "a", "states": {"a": {"after": {1000: "b", 0.5: "b"}}, "b": {}}})
    assert list(config.states["a"].after) == ["1000", "0.5"]
