"""A machine for XState is one that XState reads as we do."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice import DefinitionError, State, VoiceMachine, fsm_from_status_graph, load, to_xstate, transition
from fsmvoice.model.parse import parse_config


def exported(**machine: Any) -> Any:
    return to_xstate(parse_config(machine))


def test_a_class_is_exported_with_the_names_of_its_functions() -> None:
    class Tea(VoiceMachine):
        idle = State(initial=True)
        done = State(final=True)

        @transition("ORDER", source=idle, target=done, guard="open")
        def order(self) -> None: ...

        def open(self) -> bool:
            return True

    machine = Tea.to_xstate()
    assert machine["initial"] == "idle"
    assert machine["states"]["done"] == {"type": "final"}
    assert machine["states"]["idle"]["on"] == {"ORDER": {"target": "done", "guard": "open", "actions": "order"}}


def test_plain_targets_stay_as_they_are() -> None:
    machine: Any = {
        "id": "m",
        "initial": "a",
        "on": {"TOP": ".b"},
        "states": {
            "a": {"initial": "x", "on": {"GO": "b.y", "IN": ".x", "AGAIN": "."}, "states": {"x": {}}},
            "b": {"initial": "y", "always": {"target": "#m.a", "guard": "g"}, "states": {"y": {}}},
        },
    }
    assert exported(**machine) == machine


def test_a_state_whose_key_has_a_dot_is_targeted_by_its_escaped_id() -> None:
    machine = exported(
        id="m", initial="v1.0", states={"v1.0": {"on": {"GO": "v2.0"}}, "v2.0": {"on": {"BACK": "v1.0"}}}
    )
    assert machine["initial"] == "v1.0"
    assert machine["states"]["v1.0"]["on"]["GO"] == r"#m\.v2\.0"
    assert to_xstate(load(machine).config) == machine


def test_an_id_with_dots_is_escaped() -> None:
    machine = exported(initial="a", states={"a": {"on": {"GO": "#b.c"}}, "x": {"id": "b.c"}})
    assert machine["states"]["a"]["on"]["GO"] == r"#b\.c"


def test_history_targets_and_services_are_written_too() -> None:
    machine = exported(
        id="m",
        initial="a",
        states={
            "a": {"invoke": {"src": "s", "onDone": "b.c"}, "after": {"100": ["b.c"]}},
            "b.c": {"initial": "x", "states": {"x": {}, "h": {"history": True, "target": "x"}}},
        },
    )
    assert machine["states"]["a"] == {"invoke": {"src": "s", "onDone": r"#m\.b\.c"}, "after": {"100": r"#m\.b\.c"}}
    assert machine["states"]["b.c"]["states"]["h"] == {"history": "shallow", "target": "x"}


def test_an_initial_reference_is_written_as_a_key() -> None:
    assert exported(id="m", initial="#m.a", states={"a": {}})["initial"] == "a"
    assert exported(initial={"target": "a", "actions": ["go"]}, states={"a": {}})["initial"] == {
        "target": "a",
        "actions": "go",
    }


def test_a_start_further_down_is_refused() -> None:
    inner: Any = {"initial": "x", "states": {"x": {}, "y": {}}}
    with pytest.raises(DefinitionError, match=r"\$\.initial: in XState, initial has to be a child of the state"):
        exported(initial="a.y", states={"a": inner})


def test_what_an_import_kept_stays_in_meta() -> None:
    document: Any = {"id": "m", "initial": "a", "states": {"a": {"route": {}}}}
    assert to_xstate(load(document).config)["states"]["a"] == {"meta": {"xstate": {"route": {}}}}


def test_a_status_graph_can_be_exported() -> None:
    config = fsm_from_status_graph(id="t", initial="#1", graph={"#1": ["v1.0"], "v1.0": []}).config
    machine = to_xstate(config)
    assert machine["initial"] == "#1"
    assert machine["states"]["#1"]["on"]["MOVE_TO_V1_0"] == r"#t\.v1\.0"
