"""A human is asked for a missing argument, in both protocol eras; nothing is held meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server import asgi, mcp_server
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, text_of

Shown: TypeAlias = types.ElicitRequestFormParams
Human: TypeAlias = Callable[[Shown], Awaitable[types.ElicitResult]]
QUESTION = "Which drink would you like: latte, espresso or flat white?"


async def order(bridge: FsmMcpBridge, mode: Mode, human: Human, arguments: dict[str, Any]) -> types.CallToolResult:
    """Call over HTTP with a client whose human answers as given."""

    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestFormParams)
        return await human(params)

    async with (
        running(asgi(bridge)) as url,
        Client(f"{url}/mcp", mode=mode, elicitation_callback=show) as client,
    ):
        return await client.call_tool("coffee_order", arguments)


def accepting(**content: Any) -> Human:
    async def human(_shown: Shown) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content=content)

    return human


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_missing_argument_is_asked_for_in_a_form_of_what_would_be_accepted(mode: Mode) -> None:
    seen: list[Shown] = []

    async def human(shown: Shown) -> types.ElicitResult:
        seen.append(shown)
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    result = await order(create_fsm_mcp_bridge(Coffee), mode, human, {"size": "large"})

    assert text_of(result) == "One large latte. Shall I place it?"
    (shown,) = seen
    assert shown.message == QUESTION
    assert shown.requested_schema == {
        "type": "object",
        "properties": {
            "drink": {"type": "string", "description": "which drink", "enum": ["latte", "espresso", "flat white"]}
        },
        "required": ["drink"],
    }


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_what_was_bad_is_asked_for_and_what_was_good_stays(mode: Mode) -> None:
    bad: dict[str, Any] = {"drink": "tea", "size": 3}
    human = accepting(drink="espresso", size="small", other="ignored")

    result = await order(create_fsm_mcp_bridge(Coffee), mode, human, bad)

    assert text_of(result) == "One small espresso. Shall I place it?"


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_who_does_not_want_to_answer_is_left_in_peace(mode: Mode, action: Any) -> None:
    async def human(_shown: Shown) -> types.ElicitResult:
        return types.ElicitResult(action=action)

    result = await order(create_fsm_mcp_bridge(Coffee), mode, human, {})

    assert text_of(result) == "Okay, I won't order a drink. I changed nothing."
    facts = facts_of(result)
    assert (result.is_error, facts["reason"], facts["changed"], facts["state"]["revision"]) == (
        True,
        "refused",
        False,
        0,
    )


@pytest.mark.parametrize("mode", BOTH_ERAS)
@pytest.mark.parametrize("content", [{}, {"drink": "tea"}, {"other": "latte"}])
async def test_an_answer_that_does_not_fit_is_asked_for_in_speech(mode: Mode, content: dict[str, Any]) -> None:
    result = await order(create_fsm_mcp_bridge(Coffee), mode, accepting(**content), {})

    assert result.is_error
    assert text_of(result).endswith(QUESTION)


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_nothing_is_held_while_a_human_thinks_and_then_the_truth_is_told(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Coffee, tool_timeout=2)

    async def human(_shown: Shown) -> types.ElicitResult:
        # Somebody else goes on in the same conversation, at once.
        assert (await bridge.call("coffee_order", {"drink": "flat white"})).structured["ok"]
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    result = await order(bridge, mode, human, {})

    assert result.is_error
    assert text_of(result) == "You can't order a drink right now. You can place the order or cancel the order."
    assert facts_of(result)["state"]["context"]["drink"] == "flat white"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_nobody_is_asked_for_what_would_not_help(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    await bridge.call("coffee_order", {"drink": "latte"})

    async def human(_shown: Shown) -> types.ElicitResult:
        raise AssertionError("was asked")

    result = await order(bridge, mode, human, {})
    assert facts_of(result)["reason"] == "no-transition"
    result = await order(create_fsm_mcp_bridge(Coffee), mode, human, {"drnk": "latte"})
    assert text_of(result) == "I don't know what drnk is. Did you mean the drink?"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_client_that_shows_no_forms_hears_the_question(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        result = await client.call_tool("coffee_order", {})
        assert text_of(result) == QUESTION


@pytest.mark.parametrize("options", [{"stateless": True}, {"json_response": True}])
async def test_a_transport_that_cannot_ask_leaves_the_question_to_speech(options: dict[str, Any]) -> None:
    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        raise AssertionError("was asked")

    app = asgi(create_fsm_mcp_bridge(Coffee), **options)
    async with running(app) as url, Client(f"{url}/mcp", mode="legacy", elicitation_callback=show) as client:
        assert text_of(await client.call_tool("coffee_order", {})) == QUESTION


async def test_stateless_json_asks_too_where_the_answer_comes_with_another_call() -> None:
    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    app = asgi(create_fsm_mcp_bridge(Coffee), stateless=True, json_response=True)
    async with running(app) as url, Client(f"{url}/mcp", mode="auto", elicitation_callback=show) as client:
        assert text_of(await client.call_tool("coffee_order", {})) == "One medium latte. Shall I place it?"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_client_whose_form_fails_hears_the_question_or_its_own_error(mode: Mode) -> None:
    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ErrorData:
        return types.ErrorData(code=types.INTERNAL_ERROR, message="the screen is off")

    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode, elicitation_callback=show) as client:
        if mode == "legacy":
            assert text_of(await client.call_tool("coffee_order", {})) == QUESTION
        else:
            with pytest.raises(Exception, match="the screen is off"):
                await client.call_tool("coffee_order", {})


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_an_asked_for_call_with_a_request_id_is_done_once(mode: Mode) -> None:
    bridge, asked = create_fsm_mcp_bridge(Coffee), 0

    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        nonlocal asked
        asked += 1
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    meta: Any = {"dev.fsmvoice/request-id": "r1"}
    async with running(asgi(bridge)) as url, Client(f"{url}/mcp", mode=mode, elicitation_callback=show) as client:
        first = await client.call_tool("coffee_order", {}, meta=meta)
        again = await client.call_tool("coffee_order", {}, meta=meta)

    assert text_of(first) == text_of(again) == "One medium latte. Shall I place it?"
    assert (facts_of(again)["replayed"], asked, facts_of(again)["state"]["revision"]) == (True, 1, 1)
