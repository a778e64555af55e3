"""A machine placed in a state stands there as if it had just come, with the clock and the context that a test gives."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from fsmvoice import Compound, Parallel, Private, SimulatedClock, State, VoiceMachine, after, transition
from fsmvoice.errors import UnknownName
from fsmvoice.model.context import ContextError


class Cup(BaseModel):
    drink: str
    size: str = "small"
    pin: Annotated[str | None, Private] = None


class Kiosk(VoiceMachine[Cup]):
    off = State(initial=True)

    class on(Parallel):
        class brew(Compound):
            heating = State(initial=True)
            hot = State()

        class light(Compound):
            dim = State(initial=True)
            bright = State()

    gone = State(final=True)

    @transition("POWER", source=off, target=on)
    @transition("POWER", source=on, target=off)
    def power(self) -> None: ...

    @after(30, source=on.brew.heating, target=on.brew.hot)
    def heated(self) -> None:
        self.context.size = "hot"

    @after(60, source=on.light.dim, target=on.light.bright)
    def brightens(self) -> None: ...

    @after(90, source=on, target=gone)
    def idle(self) -> None: ...


def test_its_timers_run_by_the_clock_it_was_given() -> None:
    clock = SimulatedClock()
    kiosk = Kiosk.at(Kiosk.on, Cup(drink="tea"), clock=clock)
    clock.advance(dt.timedelta(seconds=30))
    assert kiosk.available == ("POWER",)
    assert (kiosk.state, kiosk.context.size) == ({"on": {"brew": "hot", "light": "dim"}}, "hot")
    clock.advance(dt.timedelta(seconds=30))
    assert kiosk.power.can()
    assert kiosk.state == {"on": {"brew": "hot", "light": "bright"}}
    clock.advance(dt.timedelta(seconds=30))
    assert not kiosk.power.can()
    assert kiosk.matches(Kiosk.gone)


def test_a_state_without_timers_has_none() -> None:
    assert Kiosk.at("off", drink="tea").snapshot.run_state.timers == ()
    assert Kiosk.at("gone", drink="tea").snapshot.run_state.timers == ()


def test_it_takes_a_whole_context_and_fields_on_top() -> None:
    cup = Cup(drink="tea", pin="1234")
    kiosk = Kiosk.at("off", cup, size="large")
    assert kiosk.context == Cup(drink="tea", size="large", pin="1234")
    kiosk = Kiosk.at("off", cup)
    assert kiosk.context == cup
    assert kiosk.context is not cup
    assert Kiosk.at("off", drink="tea").context == Cup(drink="tea")


def test_a_context_that_does_not_fit_is_reported() -> None:
    with pytest.raises(ContextError, match="the context is dict; it should be a Cup"):
        Kiosk.at("off", {"drink": "tea"})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - the mistake
    with pytest.raises(ContextError, match="the context field 'drink' Field required"):
        Kiosk.at("off", size="large")
    with pytest.raises(UnknownName, match="did you mean 'size'"):
        Kiosk.at("off", Cup(drink="tea"), siez="large")


def test_a_restored_machine_goes_by_the_clock_it_was_given() -> None:
    clock = SimulatedClock(1000)
    stored: Mapping[str, Any] = Kiosk.at("on", drink="tea", clock=clock).snapshot.persist()
    later = SimulatedClock(1000)
    kiosk = Kiosk.restore(stored, clock=later)
    later.advance(dt.timedelta(seconds=29))
    assert kiosk.power.can()
    assert kiosk.matches("heating")
    later.advance(dt.timedelta(seconds=1))
    assert kiosk.power.can()
    assert kiosk.matches("hot")


class Watch(BaseModel):
    clock: str = "12:00"


class Timed(VoiceMachine[Watch]):
    on = State(initial=True)

    def __init__(self) -> None:
        super().__init__(clock=SimulatedClock())
        self.stood = self.state


def test_a_clock_that_is_none_is_reported_and_a_field_of_that_name_is_set_by_a_whole_context() -> None:
    told = r"clock='13:00' is no clock; .* a whole context: Timed.at\(state, context\)"
    with pytest.raises(TypeError, match=told):
        Timed.at("on", clock="13:00")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - the mistake
    assert Timed.at("on", Watch(clock="13:00")).context.clock == "13:00"
    with pytest.raises(TypeError, match=r"clock=5 is no clock; give one, such as a SimulatedClock$"):
        Kiosk(clock=5)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - the mistake


def test_the_clock_given_here_counts_whatever_init_says() -> None:
    clock = SimulatedClock(7)
    assert Timed.at("on", clock=clock).snapshot.verdicts == {}
    machine = Timed.at("on", clock=clock)
    assert machine.stood == "on"
    assert machine.__fsmvoice_run__.clock is clock
