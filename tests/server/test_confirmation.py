"""A confirmation over HTTP, in both protocol eras: asked in a form where the client shows one, else with a token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp.server.mcpserver import MCPServer

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server import asgi, register_fsm_mcp_bridge
from tests.bridge.machines import Metronome, Shop
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, text_of

DONE = "Cancelled. There is no order. You can order again or let it tick."
UNCLEAR = "I need a clear yes or no for that, so I did nothing. Cancel your latte?"
QUESTION = "Cancel your latte?"

Answer: TypeAlias = types.ElicitResult | types.ErrorData
both_eras = pytest.mark.parametrize("mode", BOTH_ERAS)


class Human:
    """Answers what a client shows, in turn; `meanwhile` happens while the first question is shown."""

    def __init__(self, *answers: Answer, meanwhile: Callable[[], Any] | None = None) -> None:
        self._answers, self._meanwhile = list(answers), meanwhile
        self.seen: list[str] = []

    async def __call__(self, context: ClientRequestContext, params: types.ElicitRequestParams) -> Answer:
        self.seen.append(params.message)
        if self._meanwhile is not None and len(self.seen) == 1:
            await self._meanwhile()
        return self._answers.pop(0)


def accept(**content: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=content)


@asynccontextmanager
async def client_of(
    bridge: FsmMcpBridge, mode: Mode, human: Human | None = None, **options: Any
) -> AsyncGenerator[Client]:
    async with (
        running(asgi(bridge, **options)) as url,
        Client(f"{url}/mcp", mode=mode, elicitation_callback=human) as client,
    ):
        yield client


async def count(bridge: FsmMcpBridge) -> int:
    return int((await bridge.get_snapshot()).context.cancelled)


@both_eras
async def test_a_human_is_shown_the_question_and_says_yes(mode: Mode) -> None:
    bridge, human = create_fsm_mcp_bridge(Shop), Human(accept(confirm=True))
    async with client_of(bridge, mode, human) as client:
        result = await client.call_tool("shop_cancel", {})

    assert (text_of(result), human.seen, await count(bridge)) == (DONE, [QUESTION], 1)


@both_eras
async def test_without_forms_the_question_is_spoken_and_the_token_says_yes_once(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Shop)
    async with client_of(bridge, mode) as client:
        asked = await client.call_tool("shop_cancel", {})
        token = facts_of(asked)["confirm_token"]
        results = await asyncio.gather(*(client.call_tool("shop_cancel", {"confirm_token": token}) for _ in range(2)))
        by_meta: Any = {"dev.fsmvoice/confirm": token}
        third = await client.call_tool("shop_cancel", meta=by_meta)

    assert (asked.is_error, text_of(asked), facts_of(asked)["reason"]) == (True, QUESTION, "needs-confirmation")
    assert {text_of(result) for result in (*results, third)} == {DONE}
    assert sorted(facts_of(result).get("replayed", False) for result in results) == [False, True]
    assert await count(bridge) == 1


@both_eras
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (types.ElicitResult(action="decline"), "Okay, I won't cancel the order. I changed nothing."),
        (types.ElicitResult(action="cancel"), "Okay, I won't cancel the order. I changed nothing."),
        (accept(confirm=False), "Okay, I won't cancel the order. I changed nothing."),
        (accept(), UNCLEAR),
        (accept(confirm="maybe"), UNCLEAR),
        (accept(confirm=1), UNCLEAR),
        (accept(other=True), UNCLEAR),
    ],
)
async def test_nothing_but_a_yes_is_a_yes(mode: Mode, answer: Answer, said: str) -> None:
    bridge = create_fsm_mcp_bridge(Shop)
    async with client_of(bridge, mode, Human(answer)) as client:
        result = await client.call_tool("shop_cancel", {})

    assert (result.is_error, text_of(result), await count(bridge)) == (True, said, 0)


@both_eras
async def test_a_form_that_fails_changes_nothing(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Shop)
    failing = Human(types.ErrorData(code=types.INTERNAL_ERROR, message="the screen is off"))
    async with client_of(bridge, mode, failing) as client:
        if mode == "legacy":
            assert text_of(await client.call_tool("shop_cancel", {})) == UNCLEAR
        else:
            with pytest.raises(Exception, match="the screen is off"):
                await client.call_tool("shop_cancel", {})

    assert await count(bridge) == 0


@both_eras
async def test_what_changed_while_a_human_looked_is_asked_again(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Shop, tool_timeout=2)

    async def other() -> None:
        assert (await bridge.call("shop_change", {"drink": "tea"})).structured["ok"]

    human = Human(accept(confirm=True), accept(confirm=True), meanwhile=other)
    async with client_of(bridge, mode, human) as client:
        result = await client.call_tool("shop_cancel", {})

    assert human.seen == [QUESTION, "Cancel your tea?"]
    assert (text_of(result), await count(bridge)) == (DONE, 1)


@both_eras
async def test_a_timer_that_ticks_meanwhile_does_not_void_the_yes(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Metronome)

    async def ticks() -> None:
        first = (await bridge.get_snapshot()).revision
        while (await bridge.get_snapshot()).revision < first + 3:
            pass

    human = Human(accept(confirm=True), meanwhile=ticks)
    async with client_of(bridge, mode, human) as client:
        result = await client.call_tool("metronome_cancel", {})

    assert (facts_of(result)["ok"], human.seen) == (True, [QUESTION])


@both_eras
async def test_arguments_are_asked_for_before_the_yes(mode: Mode) -> None:
    bridge, human = create_fsm_mcp_bridge(Shop), Human(accept(tip=4), accept(confirm=True))
    async with client_of(bridge, mode, human) as client:
        result = await client.call_tool("shop_pay", {})

    assert human.seen[1:] == ["Pay 3 and a tip of 4?"]
    assert facts_of(result)["state"]["context"]["paid"] == 7


@both_eras
async def test_a_request_id_holds_through_the_question(mode: Mode) -> None:
    bridge, human, meta = create_fsm_mcp_bridge(Shop), Human(accept(confirm=True)), {"dev.fsmvoice/request-id": "r"}
    given: Any = meta
    async with client_of(bridge, mode, human) as client:
        first = await client.call_tool("shop_cancel", {}, meta=given)
        again = await client.call_tool("shop_cancel", {}, meta=given)

    assert text_of(first) == text_of(again)
    assert (facts_of(again)["replayed"], len(human.seen), await count(bridge)) == (True, 1, 1)


@pytest.mark.parametrize("options", [{"stateless": True}, {"json_response": True}])
async def test_a_transport_that_cannot_ask_leaves_it_to_the_token(options: dict[str, Any]) -> None:
    bridge = create_fsm_mcp_bridge(Shop)
    async with client_of(bridge, "legacy", Human(), **options) as client:
        asked = await client.call_tool("shop_cancel", {})
        done = await client.call_tool("shop_cancel", {"confirm_token": facts_of(asked)["confirm_token"]})

    assert (text_of(asked), text_of(done)) == (QUESTION, DONE)


async def test_a_repeated_answer_of_the_modern_era_acts_once() -> None:
    bridge = create_fsm_mcp_bridge(Shop)
    async with client_of(bridge, "auto", Human()) as client:
        # Typed as Any: the overloads want to know which options are given.
        session: Any = client.session
        asked: Any = await session.call_tool("shop_cancel", {}, allow_input_required=True)
        assert isinstance(asked, types.InputRequiredResult)
        answers: Any = {"confirm": accept(confirm=True)}
        given: Any = {"input_responses": answers, "request_state": asked.request_state, "allow_input_required": True}
        results: list[Any] = [await session.call_tool("shop_cancel", {}, **given) for _ in range(2)]
        made_up: Any = await session.call_tool("shop_tip", {"tip": 2}, **given)

    first, again = map(facts_of, results)
    assert (first["changed"], again["replayed"], await count(bridge)) == (True, True, 1)
    assert facts_of(made_up)["reason"] == "no-transition"


def mcpserver() -> Any:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")
    return server


def fastmcp() -> Any:
    package = pytest.importorskip("fastmcp", reason="pip install 'fsmvoice[fastmcp]'")
    return package.FastMCP("shop")


@both_eras
@pytest.mark.parametrize("make", [mcpserver, fastmcp])
async def test_a_bridge_on_another_server_asks_too(mode: Mode, make: Callable[[], Any]) -> None:
    server, bridge = make(), create_fsm_mcp_bridge(Shop)
    register_fsm_mcp_bridge(server, bridge)
    human = Human(accept(tip=1), accept(confirm=True), accept(confirm=True))
    wire: Any = getattr(server, "_mcp_server", server)

    async with Client(wire, mode=mode, elicitation_callback=human) as client:
        paid = await client.call_tool("shop_pay", {})
        done = await client.call_tool("shop_cancel", {})
    async with Client(wire, mode=mode) as client:
        again = await client.call_tool("shop_again", {})
        asked = await client.call_tool("shop_cancel", {})
        token = facts_of(asked)["confirm_token"]
        twice = await client.call_tool("shop_cancel", {"confirm_token": token})

    assert facts_of(paid)["state"]["context"]["paid"] == 4
    assert [facts_of(result)["ok"] for result in (done, again, asked, twice)] == [True, True, False, True]
    assert await count(bridge) == 2
