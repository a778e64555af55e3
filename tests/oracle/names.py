"""What the names in the oracle's machines stand for (../shared/data/xstate/README.md)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from fsmvoice.model.behaviour import Behaviour, InState, Step, StepCode

Log = list[list[Any]]
Params = Mapping[str, Any] | None
_NONE: Mapping[str, Any] = {}


def behaviour_for(machine: Mapping[str, Any], log: Log, *, waiting: bool) -> Behaviour:
    """The functions of one machine; custom actions write to `log`. With `waiting`, actions are coroutines that wait."""
    actions: dict[str, StepCode] = {}
    guards: dict[str, StepCode | InState] = {}
    for role, name in _names(machine):
        if role == "guard":
            guards[name] = _guard(name)
        else:
            call = _action(name, log)
            actions[name] = StepCode(name, _waiting(call) if waiting else call, waiting)
    return Behaviour(actions=actions, guards=guards, services=_SERVICES)


def _fails() -> None:
    raise ValueError("failed")


def _sends(send: Callable[..., None]) -> None:
    send("B", v=1)


def _goes_on(send: Callable[..., None]) -> None:
    """Neither ends nor sends."""


_SERVICES: Mapping[str, Callable[..., Any]] = {
    "s_never": _goes_on,
    "s_send": _sends,
    "s_out": lambda: 7,
    "s_err": _fails,
}


def _names(part: Any) -> Iterator[tuple[str, str]]:
    if isinstance(part, list):
        for item in _listed(part):
            yield from _names(item)
    elif isinstance(part, Mapping):
        node = cast("Mapping[str, Any]", part)
        for key in ("guard", "actions", "entry", "exit"):
            named = node.get(key)
            for item in _listed(named):
                yield "guard" if key == "guard" else "action", item if isinstance(item, str) else item["type"]
        for item in node.values():
            yield from _names(item)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list):
        return cast("list[Any]", value)  # type: ignore[redundant-cast]  # pyright needs it
    return [] if value is None else [value]


def _guard(name: str) -> StepCode | InState:
    if name.startswith("in:"):
        return InState(f"#{name[3:]}")

    def call(step: Step, params: Params) -> bool:
        given = params or _NONE
        if name == "ctx_truthy":
            return bool(step.context.get(given["key"]))
        if name == "ctx_gte":
            return bool((step.context.get(given["key"]) or 0) >= given["value"])
        if name == "ev_eq":
            field = given["field"]
            return field in step.event and _same(step.event[field], given["value"])
        return name == "g_true"

    return StepCode(name, call)


def _same(one: Any, other: Any) -> bool:
    """JavaScript's `===`."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _action(name: str, log: Log) -> Callable[[Step, Params], Any]:
    def call(step: Step, params: Params) -> Any:
        given = params or _NONE
        if name == "raise":
            return step.queue(given["event"])
        if name == "assign":
            old = step.context.get(given["key"])
            return {given["key"]: old + given["value"] if given["op"] == "inc" else given["value"]}
        if name == "assignFromEvent":
            return {given["key"]: step.event.get(given["field"])}
        log.append([name, step.event["type"], json.loads(json.dumps(step.context))])
        return None

    return call


def _waiting(call: Callable[[Step, Params], Any]) -> Callable[[Step, Params], Any]:
    async def waits(step: Step, params: Params) -> Any:
        await asyncio.sleep(0)
        return call(step, params)

    return waits
