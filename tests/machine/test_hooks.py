"""What runs without an event: entering, leaving, finishing, `always`, `after` and `invoke`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from fsmvoice import (
    Compound,
    State,
    Suspended,
    VoiceMachine,
    after,
    always,
    invoke,
    on_done,
    on_enter,
    on_exit,
    transition,
)
from fsmvoice.engine.clock import SimulatedClock
from tests.machine.defining import problems_in


class Trip(VoiceMachine):
    home = State(initial=True)

    class away(Compound):
        near = State(initial=True)
        far = State()
        back = State(final=True)

    rest = State()
    asleep = State(final=True)

    def note(self, what: str) -> None:
        self.context.setdefault("log", []).append(what)

    def tired(self) -> bool:
        return len(self.context.get("log", [])) > 3

    @on_enter(away)
    def leave(self) -> None:
        self.note("enter away")

    @on_enter("near")
    @on_enter("far")
    def step(self) -> None:
        self.note("step")

    @on_exit(away)
    async def arrive(self) -> None:
        self.note("exit away")

    @on_done(away, target=rest)
    def done(self) -> None:
        self.note("done")

    @always(source=rest, target=asleep, guard=tired)
    def sleep(self) -> None:
        self.note("sleep")

    @transition(source=home, target=away)
    def go(self) -> None: ...

    @transition(source=away.near, target=away.far)
    def further(self) -> None: ...

    @transition(source=away, target=away.back)
    def turn(self) -> None: ...

    @transition(source=rest, target=home)
    def again(self) -> None: ...

    @after(timedelta(minutes=2), source=away.far, target=home, says="You were away too long.")
    def too_long(self) -> None:
        self.note("too long")

    @after(0.5, source=away.near, target=home, guard="tired")
    def give_up(self) -> None: ...


async def test_hooks_run_where_their_states_are_entered_left_and_done() -> None:
    trip = Trip()
    trip.go.sync()
    trip.further.sync()
    outcome = await trip.turn()
    assert outcome.state == "asleep"
    assert outcome.context["log"] == ["enter away", "step", "step", "exit away", "done", "sleep"]


def test_a_delay_is_seconds_or_a_timedelta_and_milliseconds_in_the_config() -> None:
    inner = Trip.config.to_dict()["states"]["away"]["states"]
    assert inner["far"]["after"] == {
        "120000": {"target": "#trip.home", "actions": "too_long", "meta": {"says": "You were away too long."}}
    }
    assert inner["near"]["after"] == {"500": {"target": "#trip.home", "guard": "tired", "actions": "give_up"}}


class Patience(VoiceMachine):
    idle = State(initial=True)
    waiting = State()

    @transition(source=idle, target=waiting)
    def wait(self) -> None: ...

    @after(2, source=waiting, target=idle, says="I gave up.")
    def give_up(self) -> None:
        self.context["given_up"] = True


def test_a_timer_that_is_due_goes_before_whatever_is_asked() -> None:
    clock = SimulatedClock()
    patience = Patience(clock=clock)
    patience.wait.sync()
    clock.advance(1_999)
    assert list(patience.available) == []
    clock.advance(1)
    assert list(patience.available) == ["WAIT"]
    assert (patience.state, patience.context) == ("idle", {"given_up": True})


class Kettle(VoiceMachine):
    off = State(initial=True)
    cold = State()
    hot = State(final=True)
    broken = State(final=True)
    fails = False

    @transition("HEAT", source=off, target=cold)
    def start_heating(self) -> None: ...

    @invoke(during=cold, done=hot, error=broken, says="It is at {degrees} degrees.")
    async def heat(self) -> dict[str, Any]:
        if self.fails:
            raise OSError("dry")
        return {"degrees": 100}


async def test_a_service_runs_while_its_state_is_active_and_its_result_becomes_context() -> None:
    assert Kettle.config.to_dict()["states"]["cold"]["invoke"] == {
        "src": "heat",
        "id": "heat",
        "onDone": {"target": "hot", "actions": "heat.result", "meta": {"says": "It is at {degrees} degrees."}},
        "onError": "broken",
    }
    async with Kettle() as kettle:
        assert (await kettle.start_heating()).state == "cold"
        await kettle.settled()
    assert (kettle.state, kettle.context) == ("hot", {"degrees": 100})


async def test_a_service_that_must_not_be_begun_twice_says_so() -> None:
    class Payment(VoiceMachine):
        paying = State(initial=True)
        paid = State(final=True)
        unknown = State(final=True)

        @invoke(during=paying, done=paid, error=unknown, on_restart="error")
        async def charge(self) -> None: ...

    async with Payment.restore(Payment().snapshot.persist()) as stored:
        await stored.settled()
    assert stored.state == "unknown"


async def test_a_service_that_fails_leads_to_error() -> None:
    kettle = Kettle()
    kettle.fails = True
    await kettle.start_heating()
    await kettle.settled()
    assert (kettle.state, kettle.context) == ("broken", {})


def test_an_async_service_needs_an_event_loop() -> None:
    kettle = Kettle()
    with pytest.raises(Suspended, match="the service 'heat'"):
        kettle.start_heating.sync()
    assert kettle.state == "off"


async def test_a_restored_machine_starts_its_services_when_it_is_entered() -> None:
    kettle = Kettle()
    await kettle.start_heating()
    stored = kettle.snapshot.persist()
    async with Kettle.restore(stored) as again:
        await again.settled()
    assert again.state == "hot"
    await kettle.settled()


def test_hooks_that_do_not_fit_are_all_told() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @on_enter(idle)  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            def takes(self, extra: str) -> None: ...

            @on_exit("idel")
            def misspelt(self) -> None: ...

            @on_done(idle)
            def never(self) -> None: ...

            @after(0, source=idle, target=idle)
            def at_once(self) -> None: ...

            @always(source=idle, target="nowhere")
            def lost(self) -> None: ...

            @after(1, source=idle, target=idle, says="{field.name}")
            def speaks(self) -> None: ...

            @invoke(during="idl", done="gone", error="brokn")
            async def serve(self) -> None: ...

        return Bad

    slot = "the slot {field.name} is not a plain field; a slot never reads an attribute, an index or a format"
    told = [f"{problem.message}; {problem.hint}" for problem in problems_in(define)]
    assert told == [
        "'takes' takes (extra: str); it runs without an event, so nothing is carried; read self.context",
        "@on_exit: unknown state 'idel'; did you mean 'idle'?",
        "'idle' can't be done: it is one state; use @on_enter, or give it states of its own",
        "after: 0 seconds; a delay is positive; use @always for at once",
        "target: unknown state 'nowhere'; there are idle",
        f"says of 'speaks': {slot}",
        "during: unknown state 'idl'; did you mean 'idle'?",
        "done: unknown state 'gone'; there are idle",
        "error: unknown state 'brokn'; there are idle",
    ]


@pytest.mark.parametrize("delay", ["5", None, [], True, float("nan"), float("inf"), 10**400])
def test_a_delay_that_no_clock_can_wait_for_is_reported(delay: Any) -> None:
    def define() -> type:
        class Waits(VoiceMachine):
            here = State(initial=True)
            there = State()

            @after(delay, source=here, target=there)
            def late(self) -> None: ...

        return Waits

    assert [problem.message for problem in problems_in(define)] == ["after: this is not a delay"]


def test_a_service_that_returns_what_is_not_a_field_has_failed() -> None:
    @dataclass
    class Tea:
        degrees: int = 20

    class Heats(VoiceMachine[Tea]):
        idle = State(initial=True)
        cold = State()
        hot = State(final=True)

        @transition(source=idle, target=cold)
        def go(self) -> None: ...

        @invoke(during=cold, done=hot, error=idle)
        def heat(self) -> dict[str, int]:
            return {"degres": 100}

    heats = Heats()
    heats.go.sync()
    assert (heats.state, heats.context) == ("idle", Tea())
