"""Calls that take long: progress is told, and whoever hangs up leaves everything as it was."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import Annotated, Any

import anyio
import pytest
from mcp import Client
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import Field
from starlette.applications import Starlette
from starlette.routing import Route

from fsmvoice import State, VoiceMachine, create_fsm_mcp_bridge, spoken, transition
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server import asgi, mcp_server
from fsmvoice.server.endpoint import Endpoint
from fsmvoice.server.health import Health
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.store import Commit, Committed
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, said, text_of


class Gate:
    """What the oven waits for, set by a test."""

    entered = asyncio.Event()
    opened = asyncio.Event()


class Oven(VoiceMachine, id="oven"):
    cold = State(initial=True, prompt="The oven is cold.")
    hot = State(prompt="The oven is hot.")

    @spoken("heat it", working="Heating to {degrees} degrees.")
    @transition("HEAT", source=cold, target=hot)
    async def heat(self, degrees: Annotated[int, Field(ge=50, le=250)] = 180) -> None:
        """Heat the oven."""
        self.context["degrees"] = degrees
        Gate.entered.set()
        await Gate.opened.wait()

    @spoken("let it cool")
    @transition("COOL", source=hot, target=cold)
    def cool(self) -> None: ...


@pytest.fixture(autouse=True)
def gate() -> None:
    Gate.entered, Gate.opened = asyncio.Event(), asyncio.Event()


def hurried(bridge: FsmMcpBridge) -> Starlette:
    """An app that tells progress every few milliseconds."""
    server = mcp_server(bridge, progress_every=0.005)
    endpoint = Endpoint(lambda: StreamableHTTPSessionManager(server), Health(bridge), nullcontext)
    return Starlette(routes=[Route("/mcp", endpoint)], lifespan=endpoint.lifespan)


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_long_call_says_that_it_works_until_it_is_done(mode: Mode) -> None:
    told: list[tuple[float, str | None]] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))
        if len(told) == 3:
            Gate.opened.set()

    async with running(hurried(create_fsm_mcp_bridge(Oven))) as url, Client(f"{url}/mcp", mode=mode) as client:
        result = await client.call_tool("oven_heat", {"degrees": 200}, progress_callback=progressed)

    assert text_of(result) == "The oven is hot. You can let it cool."
    assert [progress for progress, _ in told] == [*range(1, len(told) + 1)]
    assert {message for _, message in told} == {"Heating to 200 degrees."}


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_short_call_says_nothing_of_progress(mode: Mode) -> None:
    Gate.opened.set()
    told: list[float] = []

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with running(asgi(create_fsm_mcp_bridge(Oven))) as url, Client(f"{url}/mcp", mode=mode) as client:
        await client.call_tool("oven_heat", {}, progress_callback=progressed)

    assert told == []


async def cancelled(client: Client, begun: asyncio.Event) -> None:
    """Make a call and hang up once it has begun."""
    with anyio.CancelScope() as scope:

        async def hang_up() -> None:
            await begun.wait()
            scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(hang_up)
            await client.call_tool("oven_heat", {})
    assert scope.cancelled_caught


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_call_that_is_cancelled_leaves_everything_as_it_was_and_the_next_one_works(mode: Mode) -> None:
    # The patience is short: a lock that was left held would show as "busy".
    bridge = create_fsm_mcp_bridge(Oven, tool_timeout=2)
    async with running(asgi(bridge)) as url, Client(f"{url}/mcp", mode=mode) as client:
        await cancelled(client, Gate.entered)
        assert await said(client, "oven_status") == "The oven is cold. You can heat it."
        Gate.opened.set()
        result = await client.call_tool("oven_heat", {"degrees": 90})

    assert (text_of(result), facts_of(result)["state"]["revision"]) == ("The oven is hot. You can let it cool.", 1)


class Deliberate(MemoryStore):
    """A store whose commits of events take until they are let go."""

    instant = False

    def __init__(self) -> None:
        super().__init__()
        self.submitted, self.released = asyncio.Event(), asyncio.Event()

    async def commit(self, commit: Commit) -> Committed:
        if commit.expected is not None:
            self.submitted.set()
            await self.released.wait()
        return await super().commit(commit)


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_call_that_is_cancelled_during_its_commit_is_done_and_answered_when_it_is_repeated(mode: Mode) -> None:
    Gate.opened.set()
    store = Deliberate()
    meta: Any = {"dev.fsmvoice/request-id": "r"}
    async with (
        running(asgi(create_fsm_mcp_bridge(Oven, store=store))) as url,
        Client(f"{url}/mcp", mode=mode) as client,
    ):
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:

                async def hang_up() -> None:
                    await store.submitted.wait()
                    scope.cancel()

                tasks.start_soon(hang_up)
                await client.call_tool("oven_heat", {}, meta=meta)
        again = asyncio.create_task(client.call_tool("oven_heat", {}, meta=meta))
        await asyncio.sleep(0)
        store.released.set()
        facts = facts_of(await again)

    assert (facts["ok"], facts.get("replayed"), facts["state"]["revision"]) == (True, True, 1)
