"""Effects of a machine in memory: they run after the commit, in order, and never for what was not committed."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from fsmvoice import (
    ActionFailed,
    DefinitionError,
    InvalidPayload,
    ReentrancyError,
    State,
    Suspended,
    VoiceMachine,
    create_fsm_actor,
    effect,
    transition,
)
from fsmvoice.machine.effects import Effect
from tests.machine.defining import problems_in


class Mails(VoiceMachine):
    idle = State(initial=True)
    sent = State()
    failed = State(final=True)

    def __init__(self, done: list[Any] | None = None) -> None:
        super().__init__()
        self.done = [] if done is None else done

    @transition("SEND", source=idle, target=sent)
    def send_it(self, to: str = "ann") -> None:
        self.receipt.later(to, copies=2)
        self.receipt.later(to=to + "!")
        if to == "nobody":
            raise ValueError("no such person")

    @transition("BREAK", source=idle, target=sent)
    def break_it(self) -> None:
        self.receipt.later("broken")

    @transition("error.effect.receipt", source=sent, target=failed)
    def told(self, error: str) -> None:
        self.done.append(error)

    @effect
    async def receipt(self, to: str, copies: int = 1) -> None:
        """Send the receipt."""
        await asyncio.sleep(0)
        if to == "broken":
            raise OSError("no network")
        self.done.append((self.state, to, copies, len(self.idempotency_key) > 10))


def test_an_effect_keeps_its_name_and_is_in_the_behaviour() -> None:
    assert isinstance(Mails.receipt, Effect)
    assert (Mails.receipt.__name__, Mails.receipt.__doc__) == ("receipt", "Send the receipt.")
    assert list(Mails.chart.behaviour.effects) == ["receipt"]


async def test_effects_run_after_the_commit_and_in_order() -> None:
    machine = Mails()
    await machine.send_it(to="bob")
    assert machine.done == []
    await machine.settled()
    assert machine.done == [("sent", "bob", 2, True), ("sent", "bob!", 1, True)]


async def test_an_effect_of_a_step_that_failed_never_runs() -> None:
    machine = Mails()
    with pytest.raises(ActionFailed):
        await machine.send_it(to="nobody")
    await machine.settled()
    assert machine.done == []


async def test_an_effect_that_fails_is_told_to_the_machine(caplog: pytest.LogCaptureFixture) -> None:
    machine = Mails()
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        await machine.break_it()
        await machine.settled()
    assert machine.state == "failed"
    assert machine.done == ["no network"]


def test_without_an_event_loop_an_effect_has_to_wait_and_nothing_is_changed() -> None:
    machine = Mails()
    with pytest.raises(Suspended, match="the effect 'receipt'"):
        machine.send_it.sync()
    assert machine.state == "idle"


def test_an_effect_is_asked_for_inside_a_step_only_and_with_what_it_takes() -> None:
    machine = Mails()
    with pytest.raises(ReentrancyError, match="only inside a step of Mails"):
        machine.receipt.later("x")

    class Wrong(VoiceMachine):
        idle = State(initial=True)

        @transition("GO", source=idle)
        def go(self, what: bool) -> None:
            if what:
                self.store.later(count="many")  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            else:
                self.store.later(count=1, value=object())

        @effect
        async def store(self, count: int, value: Any = None) -> None: ...

    with pytest.raises(ActionFailed) as failed:
        Wrong().go.sync(what=True)
    assert isinstance(failed.value.__cause__, InvalidPayload)
    with pytest.raises(ActionFailed, match="the argument 'value' of the effect 'store' is object, which JSON can't"):
        Wrong().go.sync(what=False)


async def test_a_configs_action_asks_for_an_effect_by_its_name() -> None:
    done: list[Any] = []

    async def receipt(to: str, idempotency_key: str) -> None:
        done.append((to, len(idempotency_key) > 10))

    def send(event: dict[str, Any], later: Any) -> None:
        later("receipt", to=event["to"])

    config = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "send"}}}, "b": {}}}
    actor = create_fsm_actor(config, actions={"send": send}, effects={"receipt": receipt})
    await actor.send("GO", to="ann")
    await actor.settled()
    assert done == [("ann", True)]


def test_a_configs_effect_is_an_async_function_and_is_known() -> None:
    config = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "send"}}}, "b": {}}}
    with pytest.raises(DefinitionError, match=r"effects\['receipt'\]: is not async"):
        create_fsm_actor(config, actions={"send": lambda: None}, effects={"receipt": print})

    async def receipt() -> None: ...

    def send(later: Any) -> None:
        later("reciept")

    actor = create_fsm_actor(config, actions={"send": send}, effects={"receipt": receipt})
    with pytest.raises(ActionFailed, match="has no effect 'reciept'; did you mean 'receipt'"):
        actor.send_sync("GO")


def test_what_is_not_an_effect_is_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @effect  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            def blocks(self) -> None: ...

            @effect  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            @staticmethod
            async def alone() -> None: ...

        return Bad

    assert {problem.message: problem.hint for problem in problems_in(define)} == {
        "the effect 'blocks' is not async": "write async def",
        "@effect decorates a staticmethod": "leave the staticmethod out: "
        "the method's first parameter is the running machine",
    }


def test_an_effect_that_is_called_says_how_it_is_requested() -> None:
    mails: Any = Mails()
    with pytest.raises(TypeError, match=r"'receipt' is an effect: self\.receipt\.later\("):
        mails.receipt("ann")
