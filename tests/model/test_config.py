"""A config is data: written in any of XState's short forms, read back as written, and never lossy."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config

SEED = {
    "id": "coffee",
    "initial": "idle",
    "context": {"extras": [1], "drink": None},
    "states": {
        "idle": {"meta": {"prompt": "Hello."}, "on": {"ORDER": {"target": "done", "guard": "ok", "actions": "set"}}},
        "done": {"final": True},
    },
}


def test_a_flat_machine_of_the_seed_is_valid_and_is_written_as_it_was() -> None:
    assert parse_config(SEED).to_dict() == SEED


def test_final_true_and_type_final_say_the_same() -> None:
    data = {"initial": "a", "states": {"a": {"final": True}, "b": {"type": "final"}}}
    assert [state.kind for state in parse_config(data).states.values()] == ["final", "final"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("b", "b"),
        ({"target": "b"}, "b"),
        ([{"target": "b"}], "b"),
        ([{"target": "b", "guard": "g"}, "a"], [{"target": "b", "guard": "g"}, "a"]),
        ({"target": ["a", "b"]}, {"target": ["a", "b"]}),
        (None, {}),
        ({}, {}),
        ([], []),
        (
            {"actions": ["x", {"type": "y", "params": {"k": [1]}}]},
            {"actions": ["x", {"type": "y", "params": {"k": [1]}}]},
        ),
        ({"target": "b", "reenter": True}, {"target": "b", "reenter": True}),
    ],
)
def test_a_transition_may_be_written_short_or_long(written: Any, kept: Any) -> None:
    config = parse_config({"initial": "a", "states": {"a": {"on": {"E": written}}, "b": {}}})
    assert config.to_dict()["states"]["a"]["on"]["E"] == kept


def test_the_users_own_data_is_never_reshaped() -> None:
    data: dict[str, Any] = {
        "initial": "a",
        "context": {"one": [1], "none": None, "deep": {"x": [[]]}},
        "meta": {"one": ["x"]},
        "states": {"a": {"meta": {"prompt": ["only one"]}, "type": "final", "output": {"list": [1]}}},
    }
    assert parse_config(data).to_dict() == data


def test_json_goes_both_ways() -> None:
    config = parse_config(json.dumps(SEED))
    assert parse_config(config.to_json()) == config


def test_every_part_of_a_statechart_survives_the_round_trip() -> None:
    data = {
        "id": "m",
        "initial": {"target": "a", "actions": "start"},
        "entry": ["x", "y"],
        "states": {
            "a": {
                "type": "parallel",
                "always": [{"target": "b", "guard": {"type": "g", "params": {"n": 1}}}],
                "after": {"1000": "b", "soon": {"actions": "x"}},
                "invoke": {"src": "work", "onDone": "b", "onError": {"target": "b"}},
                "states": {
                    "r1": {"initial": "s", "states": {"s": {"tags": ["t"]}, "h": {"history": "deep", "target": "s"}}},
                    "r2": {},
                },
                "onDone": "b",
            },
            "b": {"description": "the end", "exit": "z"},
        },
    }
    config = parse_config(data)
    assert parse_config(config.to_dict()) == config
    assert config.to_dict()["states"]["a"]["states"]["r1"] == {
        "initial": "s",
        "states": {"s": {"tags": "t"}, "h": {"history": "deep", "target": "s"}},
    }


def test_the_json_schema_accepts_short_forms() -> None:
    schema = FsmConfig.json_schema()
    transition = schema["$defs"]["StateConfig"]["properties"]["on"]["additionalProperties"]
    assert {"type": "string"} in transition["anyOf"]
    assert schema["$schema"].endswith("2020-12/schema")


NAMES = st.text(min_size=1, max_size=8)


@given(
    st.dictionaries(NAMES, st.lists(NAMES, max_size=3), min_size=1, max_size=5),
    st.dictionaries(NAMES, st.recursive(st.none() | st.booleans() | st.integers() | NAMES, st.lists), max_size=3),
)
def test_any_flat_machine_round_trips_whatever_its_names(graph: dict[str, list[str]], context: dict[str, Any]) -> None:
    keys = list(graph)
    states = {
        key: {"on": {event: f"#{keys[len(event) % len(keys)]}" for event in events}, "id": key}
        for key, events in graph.items()
    }
    data = {"id": "root-of-all", "initial": keys[0], "context": context, "states": states}
    config = FsmConfig.model_validate(data)
    assert FsmConfig.model_validate_json(config.to_json()) == config
