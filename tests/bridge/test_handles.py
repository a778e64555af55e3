"""Opening a session again with the same request id: the same session, for whoever is known, and for nobody else."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.sealing import Keys, SealKeys
from tests.bridge.machines import Coffee

KEY, OTHER = b"k" * 32, b"o" * 32
KNOWN = [{"principal": "ann"}, {"session_id": "connection 1"}]


def tea(store: MemoryStore | None = None, keys: Keys | None = None) -> FsmMcpBridge:
    return create_fsm_mcp_bridge(Coffee, handles=True, store=store, keys=keys)


def caller(request_id: object = "r", *, principal: str | None = None, session_id: str | None = None) -> CallContext:
    return CallContext(session_id, principal, meta={"dev.fsmvoice/request-id": request_id})


def handle(reply: ToolReply) -> str:
    session = reply.structured["session"]
    assert isinstance(session, str)
    assert len(session) >= 22
    return session


@pytest.mark.parametrize("who", KNOWN)
async def test_a_repeated_request_opens_nothing_new(who: dict[str, str]) -> None:
    bridge = tea()
    first = await bridge.call("coffee_start_session", {}, caller(**who))
    session = handle(first)
    await bridge.call(
        "coffee_order", {"drink": "latte", "session": session}, CallContext(who.get("session_id"), who.get("principal"))
    )

    again = await bridge.call("coffee_start_session", {}, caller(**who))

    assert (handle(again), again.structured["replayed"], again.structured["changed"]) == (session, True, False)
    assert again.structured["state"]["value"] == "ordering"
    assert "replayed" not in first.structured


async def test_two_at_once_get_one_session() -> None:
    bridge = tea()
    replies = await asyncio.gather(
        *(bridge.call("coffee_start_session", {}, caller(principal="ann")) for _ in range(8))
    )

    assert len({handle(reply) for reply in replies}) == 1


async def test_others_and_other_requests_get_others() -> None:
    bridge = tea()
    callers = [
        caller(principal="ann"),
        caller("r2", principal="ann"),
        caller(principal="bob"),
        caller(session_id="ann"),
        CallContext(principal="ann"),
        CallContext(principal="ann"),
    ]
    found = {handle(await bridge.call("coffee_start_session", {}, ctx)) for ctx in callers}

    assert len(found) == len(callers)


async def test_of_two_strangers_with_one_request_id_neither_gets_the_others_session() -> None:
    bridge = tea()
    first, second = [handle(await bridge.call("coffee_start_session", {}, caller("1"))) for _ in range(2)]

    assert first != second


async def test_processes_with_shared_keys_give_the_same_and_a_replaced_key_still_finds_it() -> None:
    store, ann = MemoryStore(), caller(principal="ann")
    session = handle(await tea(store, SealKeys(KEY)).call("coffee_start_session", {}, ann))

    assert handle(await tea(store, SealKeys(KEY)).call("coffee_start_session", {}, ann)) == session
    assert handle(await tea(store, SealKeys(OTHER, KEY)).call("coffee_start_session", {}, ann)) == session
    assert handle(await tea(store, SealKeys(OTHER)).call("coffee_start_session", {}, ann)) != session


async def test_a_request_id_that_is_none_opens_nothing() -> None:
    reply = await tea().call("coffee_start_session", {}, caller([], principal="ann"))

    assert (reply.structured["reason"], "session" in reply.structured) == ("invalid-arguments", False)
