"""A config compiled for running."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.model.behaviour import Behaviour, InState, StepCode
from fsmvoice.model.chart import compile_chart, milliseconds
from fsmvoice.model.parse import parse_config
from tests.engine.making import chart_of

KIOSK: dict[str, Any] = {
    "id": "kiosk",
    "initial": "off",
    "on": {"RESET": ".off", "log.*": {"actions": "note"}},
    "states": {
        "off": {"on": {"POWER": "on"}},
        "on": {
            "type": "parallel",
            "after": {"300000": "off"},
            "states": {
                "brew": {"initial": "grinding", "states": {"grinding": {"on": {"GROUND": "ready"}}, "ready": {}}},
                "light": {"initial": "dim", "states": {"dim": {}, "bright": {}}},
            },
        },
    },
}


def note() -> None:
    """An action."""


def test_nodes_are_numbered_in_document_order() -> None:
    chart = chart_of(KIOSK, actions={"note": note})
    assert [node.path for node in chart.nodes] == [
        "",
        "off",
        "on",
        "on.brew",
        "on.brew.grinding",
        "on.brew.ready",
        "on.light",
        "on.light.dim",
        "on.light.bright",
    ]
    assert [node.index for node in chart.nodes] == list(range(9))


def test_events_are_those_of_the_whole_tree_without_wildcards() -> None:
    assert chart_of(KIOSK, actions={"note": note}).events == ("RESET", "POWER", "GROUND")


def test_a_node_holds_what_lies_below_it_and_not_itself() -> None:
    chart = chart_of(KIOSK, actions={"note": note})
    on, brew = chart.by_path["on"], chart.by_path["on.brew"]
    assert on.holds(brew)
    assert on.holds(chart.by_path["on.light.bright"])
    assert not on.holds(on)
    assert not brew.holds(on)
    assert not brew.holds(chart.by_path["on.light"])


def test_all_unknown_names_are_reported_at_once_with_their_places() -> None:
    config = {
        "id": "m",
        "initial": "a",
        "entry": "nope",
        "states": {
            "a": {
                "on": {"GO": {"target": "a", "guard": "allowd", "actions": ["inc", "dec"]}},
                "after": {"soon": "a"},
                "invoke": {"src": "fetch"},
            }
        },
    }
    behaviour = Behaviour(
        actions={"inc": StepCode("inc", lambda step, params: None)},
        guards={"allowed": StepCode("allowed", lambda step, params: True)},
    )
    with pytest.raises(DefinitionError) as caught:
        compile_chart(parse_config(config), behaviour)
    assert [(problem.where, problem.message) for problem in caught.value.problems] == [
        ("$.entry", "unknown action 'nope'"),
        ("$.states.a.on.GO.guard", "unknown guard 'allowd'"),
        ("$.states.a.on.GO.actions[1]", "unknown action 'dec'"),
        ("$.states.a.after.soon", "unknown delay 'soon'"),
        ("$.states.a.invoke.src", "unknown service 'fetch'"),
    ]
    assert "did you mean 'allowed'?" in str(caught.value)


def test_an_async_guard_is_a_definition_error() -> None:
    config = {"initial": "a", "states": {"a": {"on": {"GO": {"target": "a", "guard": "slow"}}}}}
    behaviour = Behaviour(guards={"slow": StepCode("slow", lambda step, params: True, is_async=True)})
    with pytest.raises(DefinitionError, match="the guard 'slow' is async"):
        compile_chart(parse_config(config), behaviour)


def test_an_in_guard_that_names_no_state_is_a_definition_error() -> None:
    config = {"initial": "a", "states": {"a": {"on": {"GO": {"target": "a", "guard": "at"}}}}}
    with pytest.raises(DefinitionError, match=r"unknown state '#aa'"):
        chart_of(config, guards={"at": InState("#aa")})


def test_the_definition_hash_covers_the_skeleton_and_not_the_texts() -> None:
    def definition(**of_a: object) -> str:
        return chart_of({"initial": "a", "states": {"a": of_a, "b": {}}}).definition

    same = definition()
    assert definition(meta={"prompt": "Hello"}) == same
    assert definition(on={"GO": "b"}) == same
    assert definition(after={"100": "b"}) != same
    assert definition(type="final") != same


def test_a_state_is_found_by_id_path_or_a_name_that_only_it_has() -> None:
    chart = chart_of(KIOSK, actions={"note": note})
    dim = chart.by_path["on.light.dim"]
    assert chart.find("dim") is chart.find("on.light.dim") is chart.find("#kiosk.on.light.dim") is dim
    assert chart.find("nowhere") is None


def test_the_start_context_is_new_each_time() -> None:
    chart = chart_of({"initial": "a", "context": {"items": []}, "states": {"a": {}}})
    chart.start_context()["items"].append("x")
    assert chart.start_context() == {"items": []}


def test_an_arc_that_does_nothing_forbids_only_what_it_hides() -> None:
    chart = chart_of(
        {
            "initial": "a",
            "on": {"LOG": ".b"},
            "states": {"a": {"on": {"LOG": {}, "ACK": {}, "STOP": {"meta": {"reason": "Not now."}}}}, "b": {}},
        }
    )
    arcs = chart.by_path["a"].on
    assert {event: arcs[event][0].forbids for event in arcs} == {"LOG": True, "ACK": False, "STOP": True}


@pytest.mark.parametrize(("delay", "expected"), [(5, 5.0), ("100", 100.0), (True, None), ("soon", None), ([], None)])
def test_delays_are_milliseconds(delay: object, expected: float | None) -> None:
    assert milliseconds(delay) == expected


@pytest.mark.parametrize("delay", [None, "soon", [], True, float("nan"), float("inf"), 10**400])
def test_a_delay_that_no_clock_can_wait_for_is_reported(delay: Any) -> None:
    config = parse_config({"initial": "a", "states": {"a": {"after": {"D": "b"}}, "b": {}}})
    with pytest.raises(DefinitionError, match=r"the delay 'D' is .*milliseconds, a timedelta, or a function"):
        compile_chart(config, Behaviour(delays={"D": delay}))


@pytest.mark.parametrize("key", ["nan", "inf", "1e999"])
def test_a_delay_without_end_is_not_a_number(key: str) -> None:
    config = parse_config({"initial": "a", "states": {"a": {"after": {key: "b"}}, "b": {}}})
    with pytest.raises(DefinitionError, match="unknown delay"):
        compile_chart(config)
