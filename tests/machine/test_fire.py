"""An event as a method: called, asked about, queued, and inspected like the function it was written as."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Literal

import pytest

from fsmvoice import NotAllowed, State, VoiceMachine, on_enter, transition
from fsmvoice.errors import ActionFailed, ReentrancyError, Suspended, UnknownName
from fsmvoice.model.payload import InvalidPayload


class Line(VoiceMachine):
    one = State(initial=True)
    two = State()
    three = State(final=True)

    @transition(source=one, target=two)
    def first(self, name: str, loud: bool = False) -> None:
        self.context["name"] = name.upper() if loud else name

    @transition(source=one, target=two)
    def chained(self) -> None:
        self.second.queue(name="from the queue")

    @transition(source=two, target=three)
    def second(self, name: str) -> None:
        self.context["second"] = name

    @transition(source=one)
    def calls_itself(self) -> None:
        self.first.sync("x")

    @transition(source=one)
    def queues_badly(self) -> None:
        self.second.queue(nam="x")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue] - the mistake under test


def test_parameters_may_be_given_by_place_or_by_name_and_defaults_hold() -> None:
    assert Line().first.sync("ann").context["name"] == "ann"
    assert Line().first.sync("ann", True).context["name"] == "ANN"
    assert Line().first.sync("ann", loud=True).context["name"] == "ANN"
    with pytest.raises(TypeError, match="too many positional arguments"):
        Line().first.sync("ann", True, 3)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue] - the mistake under test


def test_a_queued_event_is_handled_in_the_same_step() -> None:
    outcome = Line().chained.sync()
    assert outcome.state == "three"
    assert outcome.context == {"second": "from the queue"}


def test_a_queued_event_is_checked_where_it_is_queued() -> None:
    line = Line()
    with pytest.raises(ActionFailed, match="there is no 'nam'") as caught:
        line.queues_badly.sync()
    assert isinstance(caught.value.__cause__, InvalidPayload)
    assert line.state == "one"


def test_outside_a_step_nothing_can_be_queued() -> None:
    with pytest.raises(ReentrancyError, match=r"SECOND can be queued only inside a step of Line; elsewhere, send it"):
        Line().second.queue(name="x")


def test_firing_inside_a_step_is_refused_with_what_to_write_instead() -> None:
    line = Line()
    with pytest.raises(
        ReentrancyError, match=r"call self\.first\.queue\(\.\.\.\).*call Line\.first\.body\(self, \.\.\.\)"
    ):
        line.calls_itself.sync()
    assert line.state == "one"


async def test_a_task_that_outlives_the_step_may_fire() -> None:
    tasks: list[asyncio.Task[object]] = []

    class Starts(VoiceMachine):
        idle = State(initial=True)
        done = State(final=True)

        @transition(source=idle)
        async def begin(self) -> None:
            tasks.append(asyncio.get_running_loop().create_task(self.finish_later()))

        async def finish_later(self) -> None:
            await self.finish()

        @transition(source=idle, target=done)
        def finish(self) -> None: ...

    starts = Starts()
    await starts.begin()
    await tasks[0]
    assert starts.state == "done"


def test_a_hook_of_the_start_may_queue() -> None:
    class Hurries(VoiceMachine):
        idle = State(initial=True)
        done = State(final=True)

        @on_enter(idle)
        def hurry(self) -> None:
            self.go.queue()

        @transition(source=idle, target=done)
        def go(self) -> None: ...

    assert Hurries().state == "done"


def test_a_parameter_may_have_any_name_that_is_not_taken() -> None:
    class Names(VoiceMachine):
        idle = State(initial=True)

        @transition(source=idle)
        def go(self, type: str, event: str, schema: str, json: str, _x: str = "") -> None:
            self.context.update(type=type, event=event, schema=schema, json=json)

    outcome = Names().go.sync(type="a", event="b", schema="c", json="d")
    assert outcome.context == {"type": "a", "event": "b", "schema": "c", "json": "d"}
    assert Names().send_sync("GO", type="a", event="b", schema="c", json="d").ok


def test_an_event_has_the_signature_of_its_method_without_self() -> None:
    line = Line()
    assert str(inspect.signature(line.first)) == "(name: 'str', loud: 'bool' = False) -> 'None'"
    assert line.first.__name__ == "first"
    assert repr(line.first) == "<event FIRST of <Line in 'one'>>"


def test_a_refusal_says_what_is_possible() -> None:
    with pytest.raises(NotAllowed, match=r"SECOND is not possible in 'one' .*possible now: FIRST, CHAINED"):
        Line().second.sync("x")


class Tangled(VoiceMachine):
    """A machine whose methods do what they should not."""

    here = State(initial=True)

    @transition(source=here)
    def outer(self) -> None:
        self.inner.sync()

    @transition(source=here)
    def inner(self) -> None: ...

    @transition(source=here)
    def gives(self) -> Any:
        return {"x": 1}

    @transition(source=here)
    async def gives_later(self) -> Any:
        return {"x": 1}

    @transition(source=here)
    async def sleeps(self) -> None:
        self.context["slept"] = True
        await asyncio.sleep(0.01)


def test_firing_from_inside_is_reported_once_with_the_event_that_was_fired() -> None:
    with pytest.raises(ReentrancyError) as caught:
        Tangled().outer.sync()
    assert str(caught.value).count("call self.inner.queue(...)") == 1
    assert "self.outer" not in str(caught.value)


@pytest.mark.parametrize("event", ["gives", "gives_later"])
def test_what_a_method_returns_is_a_mistake_and_not_an_update(event: str) -> None:
    machine = Tangled()
    with pytest.raises(ActionFailed, match="returned dict; a method changes"):
        getattr(machine, event).sync()
    assert machine.context == {}


def test_without_a_loop_a_real_wait_suspends_and_changes_nothing() -> None:
    machine = Tangled()
    with pytest.raises(Suspended) as caught:
        machine.sleeps.sync()
    told = "'sleeps' of SLEEPS has to wait for what is not ready yet; use `await tangled."
    assert str(caught.value) == told + "sleeps(...)`"
    with pytest.raises(Suspended) as caught:
        machine.send_sync({"type": "SLEEPS"})
    assert str(caught.value) == told + "send('SLEEPS', ...)`"
    assert machine.context == {}
    assert asyncio.run(machine.send("SLEEPS")).context == {"slept": True}


class Picky(VoiceMachine):
    idle = State(initial=True)

    def fits(self, size: Literal["s", "m"], top: Literal["ham", "olives"]) -> bool:
        return size == "s" or top == "ham"

    @transition(source=idle, guard=fits)
    def order(self, size: Literal["s", "m"], top: Literal["ham", "olives"]) -> None: ...


def test_what_is_possible_with_other_arguments_is_reported() -> None:
    with pytest.raises(NotAllowed, match="ORDER with these arguments is not possible in 'idle'"):
        Picky().order.sync(size="m", top="olives")


def test_an_event_is_sent_as_a_mapping_too() -> None:
    assert Picky().send_sync({"type": "ORDER", "size": "s", "top": "ham"}).ok
    assert asyncio.run(Picky().send({"type": "ORDER"}, size="s", top="ham")).ok
    with pytest.raises(UnknownName, match="did you mean 'ORDER'"):
        Picky().send_sync({"type": "ORDR"})
    with pytest.raises(TypeError, match="a mapping with a 'type'"):
        Picky().send_sync({"size": "s"})


class Sleepy(VoiceMachine):
    idle = State(initial=True)

    @on_enter(idle)
    async def wake(self) -> None:
        await asyncio.sleep(0)


def test_a_start_that_waits_names_the_call_to_await() -> None:
    with pytest.raises(Suspended, match=r"Sleepy has to wait while it starts; use `await Sleepy.started\(\)`"):
        Sleepy()
    sleepy = Sleepy.at("idle")
    with pytest.raises(Suspended, match=r"'wake' of starting over has to wait .*; use `await sleepy.start_over\(\)`"):
        sleepy.start_over.sync()


class Calls(VoiceMachine):
    idle = State(initial=True)

    @transition(source=idle)
    def inner(self) -> None: ...

    @transition(source=idle)
    def outer(self) -> None:
        self.send_sync("INNER")


def test_an_event_sent_by_name_inside_a_step_gives_no_advice_about_the_outer_one() -> None:
    with pytest.raises(ReentrancyError, match="'INNER' was sent") as caught:
        Calls().outer.sync()
    assert "outer" not in str(caught.value)
