"""What ends a program gets out of step code and services as it is, and leaves the machine whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice import create_fsm_actor
from fsmvoice.engine.actor import FsmActor
from tests.engine.making import actor_of

LEAVING = [KeyboardInterrupt, SystemExit, GeneratorExit]
ODD = [GeneratorExit, type("Panic", (BaseException,), {})]


class Code:
    """Raises once, where it is told to."""

    def __init__(self, kind: type[BaseException], where: str) -> None:
        self.kind, self.where = kind, where

    def at(self, where: str) -> None:
        if where == self.where:
            self.where = ""
            raise self.kind

    def act(self, context: dict[str, Any]) -> dict[str, Any]:
        context["half"] = True
        self.at("act")
        return {}

    async def act_later(self, context: dict[str, Any]) -> dict[str, Any]:
        context["half"] = True
        await asyncio.sleep(0)
        self.at("act_later")
        return {}

    def ready(self) -> bool:
        self.at("ready")
        return True

    def work(self) -> int:
        self.at("work")
        return 1

    async def work_later(self) -> int:
        await asyncio.sleep(0)
        self.at("work_later")
        return 1

    def take(self) -> None:
        self.at("take")


def made(code: Code) -> FsmActor[dict[str, Any]]:
    done = {"target": "done", "actions": "take"}
    states: dict[str, Any] = {
        "a": {
            "on": {
                "GO": {"target": "b", "guard": "ready", "actions": "act"},
                "GO_LATER": {"target": "b", "actions": "act_later"},
                "WORK": "working",
                "WORK_LATER": "working_later",
            }
        },
        "b": {},
        "working": {"invoke": {"src": "work", "onDone": done, "onError": "failed"}},
        "working_later": {"invoke": {"src": "work_later", "onDone": done, "onError": "failed"}},
        "done": {},
        "failed": {},
    }
    return actor_of(
        {"initial": "a", "states": states},
        actions={"act": code.act, "act_later": code.act_later, "take": code.take},
        guards={"ready": code.ready},
        services={"work": code.work, "work_later": code.work_later},
    )


@pytest.mark.parametrize("kind", LEAVING)
@pytest.mark.parametrize("where", ["act", "ready"])
def test_it_gets_out_of_step_code_and_nothing_has_changed(kind: type[BaseException], where: str) -> None:
    actor = made(Code(kind, where))
    with pytest.raises(kind):
        actor.send_sync("GO")
    assert (actor.snapshot.value, actor.context, actor.snapshot.revision) == ("a", {}, 0)
    assert actor.send_sync("GO").ok


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit])
async def test_it_gets_out_of_code_that_waits(kind: type[BaseException]) -> None:
    actor = made(Code(kind, "act_later"))
    try:
        await actor.send("GO_LATER")
    except kind:
        assert (actor.snapshot.value, actor.context, actor.busy) == ("a", {}, False)
    assert (await actor.send("GO_LATER")).state == "b"


def test_a_service_that_is_interrupted_has_failed_and_the_interrupt_gets_out() -> None:
    actor = made(Code(KeyboardInterrupt, "work"))
    with pytest.raises(KeyboardInterrupt):
        actor.send_sync("WORK")
    actor.catch_up()
    assert (actor.snapshot.value, actor.run_state.services) == ("failed", ())


@pytest.mark.parametrize("kind", [SystemExit, *ODD])
@pytest.mark.parametrize("event", ["WORK", "WORK_LATER"])
async def test_a_service_that_raises_anything_else_has_failed(kind: type[BaseException], event: str) -> None:
    actor = made(Code(kind, event.lower()))
    await actor.send(event)
    await actor.settled()
    assert (actor.snapshot.value, actor.run_state.services) == ("failed", ())


@pytest.mark.parametrize("kind", LEAVING)
def test_what_a_service_has_sent_is_handled_after_an_interrupt(kind: type[BaseException]) -> None:
    actor = made(Code(kind, "take"))
    with pytest.raises(kind):
        actor.send_sync("WORK")
    assert actor.snapshot.value == "working"
    actor.catch_up()
    assert (actor.snapshot.value, actor.run_state.services) == ("done", ())


async def test_an_effect_that_raises_what_closes_coroutines_holds_up_no_other() -> None:
    done: list[str] = []

    async def closes() -> None:
        raise GeneratorExit

    async def notes() -> None:
        done.append("noted")

    def ask(later: Callable[..., None]) -> None:
        later("closes")
        later("notes")

    actor = create_fsm_actor(
        {"initial": "a", "states": {"a": {"on": {"GO": {"actions": "ask"}}}}},
        actions={"ask": ask},
        effects={"closes": closes, "notes": notes},
    )
    await actor.send("GO")
    await actor.settled()
    assert done == ["noted"]
