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
    return Behaviour(actions=actions, guards=guards, services=_SERVICES, delays=_DELAYS)


def _fails() -> None:
    raise ValueError("failed")


def _sends(send: Callable[..., None]) -> None:
    send("B", v=1)


def _twice(input: Mapping[str, Any]) -> Any:
    return 2 * input["x"]


def _goes_on(send: Callable[..., None]) -> None:
    """Neither ends nor sends."""


_SERVICES: Mapping[str, Callable[..., Any]] = {
    "s_never": _goes_on,
    "s_send": _sends,
    "s_out": lambda: 7,
    "s_twice": _twice,
    "s_err": _fails,
}


def _by_k(context: Mapping[str, Any]) -> float:
    return float(10 * (1 + context["k"]))


_DELAYS: Mapping[str, Any] = {"short": 20, "by k": _by_k}


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
    return StepCode(name, _check(name))


def _check(name: str) -> Callable[[Step, Params], bool]:
    kind, colon, rest = name.partition(":")
    if colon:
        return _of_guards(kind, rest)

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

    return call


def _of_guards(kind: str, rest: str) -> Callable[[Step, Params], bool]:
    """`not:` one, `and:` or `or:` of two, or `in:` a state as a part of these."""
    parts = [_check(part) for part in rest.split("+")] if kind != "in" else []

    def call(step: Any, params: Params) -> bool:
        if kind == "in":
            return step.chart.by_id[rest].index in step.configuration.members
        answers = [part(step, params) for part in parts]
        return not answers[0] if kind == "not" else all(answers) if kind == "and" else any(answers)

    return call


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
        if name == "choose":
            return _choose(step, given, log)
        log.append([name, step.event["type"], json.loads(json.dumps(step.context))])
        return None

    return call


def _choose(step: Any, given: Mapping[str, Any], log: Log) -> None:
    guard = given["guard"]
    chosen = given if _check(guard["type"])(step, guard["params"]) else given["else"]
    for item in chosen["actions"]:
        named: Mapping[str, Any] = {"type": item} if isinstance(item, str) else item
        update = _action(named["type"], log)(step, named.get("params"))
        if update is not None:
            step.merge(update)


def _waiting(call: Callable[[Step, Params], Any]) -> Callable[[Step, Params], Any]:
    async def waits(step: Step, params: Params) -> Any:
        await asyncio.sleep(0)
        return call(step, params)

    return waits
