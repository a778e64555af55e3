"""A machine that loads something by a service, given by each test."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.engine.making import Actor, actor_of

LOADING: dict[str, Any] = {
    "id": "m",
    "initial": "idle",
    "context": {"n": 0},
    "states": {
        "idle": {"on": {"LOAD": "loading"}},
        "loading": {
            "invoke": {"src": "load", "onDone": {"target": "ready", "actions": "keep"}, "onError": "broken"},
            "on": {"SKIP": "idle", "TICK": {"actions": "count"}},
        },
        "ready": {},
        "broken": {},
    },
}


def keep(event: dict[str, Any]) -> dict[str, Any]:
    return {"n": event["output"]}


def count(context: dict[str, Any]) -> dict[str, Any]:
    return {"n": context["n"] + 1}


ACTIONS: dict[str, Callable[..., Any]] = {"keep": keep, "count": count}


class Gate:
    """A coroutine service that waits until it is opened, and tells what became of it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.log: list[str] = []

    async def load(self) -> int:
        self.log.append("started")
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.log.append("cancelled")
            raise
        self.log.append("ended")
        return 7


def loading(load: Callable[..., Any], **options: Any) -> Actor:
    return actor_of(LOADING, actions=ACTIONS, services={"load": load}, **options)
