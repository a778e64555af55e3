"""The tools of a machine: constant, in a fixed order, described in words."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, transition
from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.errors import DefinitionError
from tests.bridge.machines import Coffee, Drink, Kettle
from tests.voice.machines import COFFEE, in_stock, set_drink


def config(events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "m", "initial": "a", "states": {"a": {"on": events}}, **more}


def test_a_tool_for_each_spoken_event_as_declared_then_the_bridges_own() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)

    assert [tool.name for tool in bridge.tools] == [
        "coffee_order",
        "coffee_confirm",
        "coffee_cancel",
        "coffee_status",
        "coffee_start_over",
    ]


def test_with_handles_a_session_can_be_opened_and_named_in_each_call() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)

    assert [tool.name for tool in bridge.tools][-1] == "coffee_start_session"
    assert [tool.name for tool in bridge.tools if "session" not in tool.input_schema["properties"]] == [
        "coffee_start_session"
    ]


def test_a_machine_without_an_id_has_tools_without_a_prefix() -> None:
    bridge = create_fsm_mcp_bridge({"initial": "a", "states": {"a": {"on": {"GO": "a"}}}})

    assert [tool.name for tool in bridge.tools] == ["go", "status", "start_over"]
    assert bridge.machine_id is None


def test_the_tools_do_not_vary_with_the_state() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)

    assert bridge.tools is bridge.tools
    assert bridge.tool("coffee_cancel") is not None
    assert bridge.tool("coffee_ready") is None


def test_a_tool_is_described_by_its_docstring_and_by_what_was_said_before() -> None:
    tools = {tool.name: tool for tool in create_fsm_mcp_bridge(Coffee).tools}

    assert tools["coffee_order"].title == "Order a drink"
    assert tools["coffee_order"].description == 'Order a drink. Use it after "What would you like?".'
    assert tools["coffee_confirm"].description == 'Place the order. Use it after "Shall I place it?".'


@pytest.mark.parametrize(
    ("states", "when"),
    [
        ({"a": {"on": {"GO": "a"}}}, "Use it while a."),
        ({"in_progress": {"on": {"GO": "done"}}, "done": {}}, "Use it while in progress."),
        (
            {"a": {"meta": {"prompt": "One {size} {drink}, ok?"}, "on": {"GO": "b"}}, "b": {"on": {"GO": "a"}}},
            'Use it after "One …, ok?" or while b.',
        ),
        (
            {"a": {"on": {"GO": ".b"}, "initial": "b", "states": {"b": {"meta": {"prompt": "Inside."}}}}},
            'Use it after "Inside.".',
        ),
    ],
)
def test_when_a_tool_can_be_used_is_said_in_words(states: dict[str, Any], when: str) -> None:
    context = {"size": "small", "drink": "tea"}
    bridge = create_fsm_mcp_bridge({"id": "m", "initial": next(iter(states)), "context": context, "states": states})

    assert bridge.tools[0].description == f"Go. {when}"


def test_an_event_of_the_whole_machine_can_be_used_at_any_time() -> None:
    bridge = create_fsm_mcp_bridge({"initial": "a", "on": {"STOP": ".a"}, "states": {"a": {}}})

    assert bridge.tools[0].description == "Stop. It can be used at any time."


def test_descriptions_name_no_event_state_or_tool() -> None:
    for machine in (Coffee, Kettle):
        for tool in create_fsm_mcp_bridge(machine, handles=True).tools:
            assert not re.search(r"ORDER|CONFIRM|CANCEL|BOIL|idle|ordering|brewing|\w_\w|[{}]", tool.description)
            assert not re.search(r"_", tool.title)


def test_every_schema_is_a_plain_object() -> None:
    for tool in create_fsm_mcp_bridge(Coffee, handles=True).tools:
        assert tool.input_schema["type"] == "object"
        assert isinstance(tool.input_schema["properties"], dict)
        assert not set(tool.input_schema) & {"anyOf", "oneOf", "allOf", "$schema"}
        assert "null" not in str(tool.input_schema)
        assert tool.output_schema["required"] == ["ok", "say"]


def test_a_methods_signature_is_the_schema() -> None:
    order = create_fsm_mcp_bridge(Coffee).tools[0].input_schema

    assert order["required"] == ["drink"]
    assert order["properties"]["drink"] == {
        "type": "string",
        "enum": ["latte", "espresso", "flat white", "mocha"],
        "description": "which drink",
    }
    assert order["properties"]["size"]["default"] == "medium"


def test_annotations_are_as_declared() -> None:
    tools = {tool.name: tool.annotations for tool in create_fsm_mcp_bridge(Coffee).tools}

    assert tools["coffee_cancel"]["destructiveHint"]
    assert not tools["coffee_order"]["destructiveHint"]
    assert tools["coffee_status"]["readOnlyHint"]
    assert tools["coffee_start_over"]["destructiveHint"]


class Order(BaseModel):
    """Choose a drink."""

    drink: Drink
    size: str = "medium"


def test_a_config_takes_pydantic_models_as_schemas() -> None:
    bridge = create_fsm_mcp_bridge(
        COFFEE, actions={"setDrink": set_drink}, guards={"inStock": in_stock}, event_schemas={"ORDER": Order}
    )

    assert bridge.tools[0].input_schema["required"] == ["drink"]
    assert bridge.tools[0].description.startswith("Choose a drink.")
    assert bridge.tools[1].input_schema["additionalProperties"] is True


def test_names_and_descriptions_can_be_the_users_own() -> None:
    bridge = create_fsm_mcp_bridge(
        config({"GO": "a"}),
        tool_name=lambda event: f"do.{event.lower()}",
        describe_tool=lambda event, states: f"{event} from {', '.join(states)}",
    )

    assert (bridge.tools[0].name, bridge.tools[0].description) == ("do_go", "GO from a")


@pytest.mark.parametrize("events", [{"ADD_ITEM": "a", "addItem": "a"}, {"STATUS": "a"}, {"startOver": "a"}])
def test_two_events_that_make_one_name_are_refused(events: dict[str, str]) -> None:
    with pytest.raises(DefinitionError, match="makes the tool name"):
        create_fsm_mcp_bridge(config(events))


class Named(BaseModel):
    session: str


def test_an_event_that_carries_the_bridges_own_argument_is_refused() -> None:
    with pytest.raises(DefinitionError, match="can't have a parameter 'session'"):
        create_fsm_mcp_bridge(config({"GO": "a"}), event_schemas={"GO": Named})


def test_unknown_names_of_a_config_are_all_told() -> None:
    with pytest.raises(DefinitionError, match=r"2 problems(.|\n)*inStock(.|\n)*setDrink"):
        create_fsm_mcp_bridge(COFFEE)


class Wanting(Kettle, id="wanting"):
    def __init__(self, water: int) -> None:
        super().__init__()


def test_a_class_that_cannot_be_made_for_a_call_is_refused_at_once() -> None:
    with pytest.raises(DefinitionError, match="water"):
        create_fsm_mcp_bridge(Wanting)


def test_what_is_not_a_class_is_reported_with_the_class_that_would_do() -> None:
    with pytest.raises(
        DefinitionError, match="is an instance; pass the class Coffee: the bridge makes an instance for"
    ):
        create_fsm_mcp_bridge(Coffee())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - the mistake
    with pytest.raises(DefinitionError, match="is a function, not a config"):
        create_fsm_mcp_bridge(in_stock)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - the mistake


def test_a_class_takes_no_functions() -> None:
    with pytest.raises(DefinitionError, match="takes no actions"):
        create_fsm_mcp_bridge(Coffee, actions={"order": print})


def test_a_class_that_is_not_a_machine_is_refused() -> None:
    with pytest.raises(DefinitionError, match="is not a machine"):
        create_fsm_mcp_bridge(Order)  # type: ignore[arg-type]  # the mistake


def test_the_instructions_begin_with_the_machines_own_words() -> None:
    assert create_fsm_mcp_bridge(Coffee).instructions.startswith("Order a coffee by voice. Each tool answers")


class Odd(enum.Enum):
    ONE = object()


class Unspeakable(VoiceMachine):
    here = State(initial=True)
    there = State()

    @transition("GO", source=here, target=there)
    def go(self, call: Callable[[], int], drink: str, kind: type, odd: Odd) -> None: ...

    @transition("BACK", source=there, target=here)
    def back(self, amount: float = math.nan) -> None: ...


def test_a_parameter_that_no_tool_call_can_carry_is_reported() -> None:
    with pytest.raises(DefinitionError) as caught:
        create_fsm_mcp_bridge(Unspeakable)

    assert [problem.message for problem in caught.value.problems] == [
        "has a parameter 'call' of type Callable, which JSON can't express",
        "has a parameter 'kind' of type type, which JSON can't express",
        "has a parameter 'odd' of type Odd, which JSON can't express",
    ]


def test_a_default_that_is_not_json_is_not_shown() -> None:
    class Amount(BaseModel):
        amount: float = math.nan

    [back, *_] = create_fsm_mcp_bridge(config({"BACK": "a"}), event_schemas={"BACK": Amount}).tools

    assert "default" not in str(back.input_schema)


@pytest.mark.parametrize("given", [None, 5, b"x", ["x"]])
def test_names_and_descriptions_that_are_not_texts_are_reported(given: Any) -> None:
    def gives(*_: object) -> Any:
        return given

    with pytest.raises(DefinitionError, match="from tool_name for its tool; it should return a string"):
        create_fsm_mcp_bridge(config({"GO": "a"}), tool_name=gives)
    with pytest.raises(DefinitionError, match="from describe_tool; it should return a string"):
        create_fsm_mcp_bridge(config({"GO": "a"}), describe_tool=gives)


def test_an_empty_description_gives_way_to_the_machines_own() -> None:
    def nothing(event: str, states: object) -> str:
        return " "

    [go, *_] = create_fsm_mcp_bridge(config({"GO": "a"}), describe_tool=nothing).tools

    assert go.description.startswith("Go.")


def test_an_internal_event_is_not_a_tool() -> None:
    """XState's own events would be answered as what they are for the engine: a start, a timer."""
    bridge = create_fsm_mcp_bridge(config({"xstate.init": "a", "GO": "a"}))

    assert [tool.name for tool in bridge.tools] == ["m_go", "m_status", "m_start_over"]
