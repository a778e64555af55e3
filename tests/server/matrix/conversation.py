"""The one conversation that every client has, and what it must hear: what the bridge answers without any protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import EXPECTED_REVISION_META, SESSION_META
from tests.server.matrix.machine import REASONS, REFUSE, make_bridge


class Op(TypedDict):
    """Something a client does. `plain` operations need no `_meta`, and are all that the Inspector's cells do."""

    do: Literal["list", "call", "read"]
    name: NotRequired[str]
    arguments: NotRequired[dict[str, Any]]
    meta: NotRequired[dict[str, Any]]
    plain: NotRequired[bool]


Heard: TypeAlias = dict[str, Any]
"""What came of an operation: `{tools}`, `{text, isError, structured}` or `{state}`."""


def call(name: str, *, meta: dict[str, Any] | None = None, plain: bool = False, **arguments: Any) -> Op:
    return {"do": "call", "name": name, "arguments": arguments, "meta": meta or {}, "plain": plain}


def _deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"in": value}
    return value


CONVERSATION: tuple[Op, ...] = (
    {"do": "list", "plain": True},
    call("shop_status"),
    call("shop_order", drink="latte", count="2", plain=True),
    call("shop_order", drink="latte", plain=True),
    call("shop_cancel", extra=None),
    call("shop_order", drink="mocha"),
    call("shop_order", plain=True),
    call("shop_order", drnk="latte"),
    call("shop_order", drink="espresso", count="null"),
    call("shop_note", about=_deep(40)),
    call("shop_note", about="x" * 20_000),
    call("shop_count"),
    call("shop_wait"),
    call("shop_pay", tip=1000),
    call("shop_pay", meta={EXPECTED_REVISION_META: 0}),
    call("shop_status", meta={SESSION_META: "x" * 300}),
    {"do": "read", "name": "fsm://state", "plain": True},
    call("shop_pay", request_id="r1"),
    call("shop_pay", request_id="r1"),
    call("shop_pay", request_id="r1", tip=5),
    *(call(REFUSE, reason=reason) for reason in REASONS),
    call("shop_start_over", plain=True),
)
PLAIN = tuple(op for op in CONVERSATION if op.get("plain"))


async def expected(ops: Sequence[Op]) -> list[Heard]:
    """What the bridge itself says."""
    bridge = make_bridge()
    tools = {tool.name: tool for tool in bridge.tools}
    heard: list[Heard] = []
    for op in ops:
        if op["do"] == "list":
            heard.append({"tools": list(tools)})
        elif op["do"] == "read":
            heard.append({"state": json.loads(await bridge.read(op.get("name", "")))})
        else:
            ctx = CallContext(meta=op.get("meta", {}))
            reply = await tools[op.get("name", "")].handler(op.get("arguments"), ctx)
            heard.append({"text": reply.text, "isError": reply.is_error, "structured": reply.structured})
    return heard


def differences(wanted: Sequence[Heard], heard: Sequence[Heard], *, facts: bool = True) -> list[str]:
    """Where a client heard something else. Without `facts`, data beside the words is not looked at."""
    if len(wanted) != len(heard):
        return [f"{len(heard)} answers instead of {len(wanted)}"]
    found: list[str] = []
    for number, (want, got) in enumerate(zip(wanted, heard, strict=True), 1):
        told = want if facts else _without(want)
        if told != (got if facts else _without(got)):
            found.append(f"{number}: {json.dumps(got)} instead of {json.dumps(want)}")
    return found


def _without(heard: Mapping[str, Any]) -> Heard:
    return {key: value for key, value in heard.items() if key != "structured"}
