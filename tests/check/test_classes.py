"""Machines written as classes: findings have a file and a line, and what needs types is found."""

from __future__ import annotations

import logging
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from fsmvoice import (
    ANY,
    State,
    VoiceMachine,
    after,
    effect,
    guard,
    invoke,
    on_enter,
    on_exit,
    spoken,
    transition,
)
from fsmvoice.check import check

BROKEN = {"V14", "V17", "V18", "V19", "V21", "S02", "S05"}
"""The rules that the tests here and in test_translations break."""

Mug = Literal["cup", "glass"]


class Base(BaseModel):
    mug: Mug | None = None
    count: int = 1


def found(machine: type[VoiceMachine[Any]], *, alexa: bool = False) -> set[str]:
    return {finding.rule for finding in check(machine, alexa=alexa).findings}


class TestTold:
    def test_a_finding_has_the_line_of_its_state(self) -> None:
        class Tea(VoiceMachine[Base]):
            idle = State(initial=True, prompt="Say PUT_DOWN.")
            done = State(final=True, prompt="Done.")

            @spoken("put it down")
            @transition("PUT_DOWN", source=idle, target=done)
            def put_down(self) -> None: ...

        (finding,) = check(Tea).findings
        file, line = finding.where.rsplit(":", 1)
        assert file == "tests/check/test_classes.py"
        assert "Say PUT_DOWN." in Path(__file__).read_text().splitlines()[int(line) - 1]
        assert finding.name == "idle"
        assert "'PUT_DOWN', the name of an event" in finding.message

    def test_a_silence_stands_with_its_reason_and_takes_the_finding_away(self) -> None:
        class Tea(VoiceMachine[Base]):
            idle = State(initial=True, prompt="Say PUT_DOWN.", allow={"V05": "it is painted on the cup"})
            done = State(final=True, prompt="Done.")

            @spoken("put it down", destructive=True, allow={"V13": "there is another cup"})
            @transition("PUT_DOWN", source=idle, target=done)
            def put_down(self) -> None: ...

        checked = check(Tea)
        assert checked.ok
        assert checked.findings == ()
        assert [(one.rule, why) for one, why in checked.silenced] == [
            ("V05", "it is painted on the cup"),
            ("V13", "there is another cup"),
        ]


class TestNone:
    """V30: a field is followed from the start to where it is said."""

    def test_a_field_that_an_action_fills_on_every_way_is_never_empty(self) -> None:
        class Filled(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            done = State(final=True, prompt="Your {mug} is full.")

            @spoken("fill one")
            @transition("FILL", source=idle, target=done)
            def fill(self, mug: Mug) -> None:
                self.context.count, self.context.mug = 2, mug

        assert found(Filled) == set()

    def test_one_that_is_cleared_on_the_way_is(self) -> None:
        class Cleared(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            full = State(prompt="Your {mug} is full.")

            @spoken("fill one")
            @transition("FILL", source=idle, target=full)
            def fill(self, mug: Mug) -> None:
                self.context.mug = mug

            @spoken("drink it")
            @transition("DRINK", source=full, target=full, reenter=True)
            def drink(self) -> None:
                self.context.mug = None

        (finding,) = check(Cleared).findings
        assert finding.rule == "V30"
        assert finding.name == "full"
        assert finding.message == "the slot {mug} of the prompt may be empty when DRINK leads here"

    def test_a_confirmation_is_asked_before_anything_is_set(self) -> None:
        class Asked(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            done = State(final=True, prompt="Your {mug} is full.")

            @spoken("fill one", confirm="Fill the {mug}?")
            @transition("FILL", source=idle, target=done)
            def fill(self) -> None:
                self.context.mug = "cup"

        (finding,) = check(Asked).findings
        assert (finding.rule, finding.name) == ("V30", "FILL")

    def test_what_a_helper_does_is_not_guessed(self) -> None:
        class Helped(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            done = State(final=True, prompt="Your {mug} is full.")

            @spoken("fill one")
            @transition("FILL", source=idle, target=done)
            def fill(self) -> None:
                self.choose()

            def choose(self) -> None:
                self.context.mug = "cup"

        assert found(Helped) == set()


class TestTypes:
    def test_a_question_reads_back_what_it_is_about(self) -> None:
        class Forgets(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")

            @spoken("break one", confirm="Break it?", destructive=True)
            @transition("BREAK", source=idle)
            def break_one(self, mug: Mug) -> None:
                self.context.count -= 1

        class Reads(Forgets):
            @spoken("break one", confirm="Break the {mug}?", destructive=True)
            @transition("BREAK", source="idle")
            def break_one(self, mug: Mug) -> None:
                self.context.count -= 1

        assert found(Forgets) == {"V14"}
        assert found(Reads) == set()

    def test_a_free_text_says_what_it_should_be(self) -> None:
        class Bare(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")

            @spoken("call it something", utterances=["call it {name}"])
            @transition("CALL", source=idle)
            def call(self, name: str) -> None:
                self.context.count += 1

        class Described(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")

            @spoken("call it something", utterances=["call it {name}"])
            @transition("CALL", source=idle)
            def call(self, name: Annotated[str, Field(description="what to call it")]) -> None:
                self.context.count += 1

        assert found(Bare) == {"V17"}
        assert found(Described) == set()

    def test_values_that_sound_alike_are_read_back(self) -> None:
        class Alike(VoiceMachine[Base], id="cups"):
            """Wash cups."""

            idle = State(initial=True, prompt="How many cups?")
            busy = State(final=True, prompt="I wash them.")

            @spoken("wash some cups", utterances=["(wash|clean|rinse) {cups} cups"])
            @transition("WASH", source=idle, target=busy)
            def wash(self, cups: Literal[15, 50]) -> None:
                """Wash so many cups."""
                self.context.count = cups

        class ReadBack(Alike, id="cups"):
            @spoken("wash some cups", says="{cups} cups.", utterances=["(wash|clean|rinse) {cups} cups"])
            @transition("WASH", source="idle", target="busy")
            def wash(self, cups: Literal[15, 50]) -> None:
                """Wash so many cups."""
                self.context.count = cups

        assert "V18" in found(Alike, alexa=True)
        assert "V18" not in found(Alike)
        assert "V18" not in found(ReadBack, alexa=True)

    def test_a_tool_name_that_had_to_be_cut_is_reported(self) -> None:
        class Cut(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")

            @spoken("stir it")
            @transition("STIR" + "_AND_STIR" * 8, source=idle)
            def stir(self) -> None:
                self.context.count += 1

        assert found(Cut) == {"V19"}

    @pytest.mark.filterwarnings("ignore::fsmvoice.DefinitionWarning")
    def test_an_event_of_a_state_that_is_never_active_is_dead(self) -> None:
        class Dead(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            lost = State(prompt="Nobody hears this.")

            @spoken("stir it")
            @transition("STIR", source=idle)
            def stir(self) -> None:
                self.context.count += 1

            @spoken("find it")
            @transition("FIND", source=lost, target=idle)
            def find(self) -> None: ...

        assert found(Dead) == {"S01", "S02"}

    def test_an_event_that_an_action_raises_has_a_taker_where_it_leads(self) -> None:
        class Dropped(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            busy = State(prompt="I stir.")

            @spoken("stir it")
            @transition("STIR", source=idle, target=busy)
            def stir(self) -> None:
                self.ring.queue()

            @spoken("ring the bell")
            @transition("RING", source=idle, target=busy)
            def ring(self) -> None: ...

            @spoken("stop stirring")
            @transition("CALM", source=busy, target=idle)
            def calm(self) -> None: ...

        class Taken(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")
            busy = State(prompt="I stir.")

            @spoken("stir it")
            @transition("STIR", source=idle, target=busy)
            def stir(self) -> None:
                self.calm.queue()

            @spoken("stop stirring")
            @transition("CALM", source=busy, target=idle)
            def calm(self) -> None: ...

        assert found(Dropped) == {"S05"}
        assert found(Taken) == set()


class TestNothingRuns:
    """Checking calls no function of a machine but its guards, and a guard that fails spoils nothing."""

    def test_no_action_hook_service_or_effect_is_called(self) -> None:
        ran: list[str] = []

        class Watched(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A {mug|cup}?")
            busy = State(prompt="I stir.")

            @on_enter(idle)
            def entered(self) -> None:
                ran.append("hook")

            @on_exit(idle)
            def left(self) -> None:
                ran.append("hook")

            @spoken("stir it", says="Stirred.")
            @transition("STIR", source=idle, target=busy)
            def stir(self) -> None:
                ran.append("action")

            @after(1, source=busy, target=idle)
            def timer(self) -> None:
                ran.append("timer")

            @invoke(during=busy, done=idle)
            async def boil(self) -> dict[str, Any]:
                ran.append("service")
                return {}

            @effect
            async def ring(self) -> None:
                ran.append("effect")

        assert check(Watched).findings == ()
        check(Watched, alexa=True)
        assert ran == []

    def test_a_guard_that_raises_spoils_nothing_and_says_nothing(self, caplog: pytest.LogCaptureFixture) -> None:
        class Broken(VoiceMachine[Base]):
            idle = State(initial=True, prompt="A tea?")

            @guard("Not now.")
            def breaks(self) -> bool:
                raise ZeroDivisionError

            @spoken("stir it")
            @transition("STIR", source=idle, guard=breaks)
            def stir(self) -> None:
                self.context.count += 1

        with caplog.at_level(logging.WARNING):
            assert check(Broken).findings == ()
        assert caplog.records == []

    def test_a_context_that_can_not_be_made_up_is_done_without(self) -> None:
        class Strict(BaseModel):
            price: Annotated[Decimal, Field(gt=1000)]

        class Shop(VoiceMachine[Strict]):
            idle = State(initial=True, prompt="Hello.")
            done = State(final=True, prompt="Goodbye.")

            @spoken("leave the shop")
            @transition("LEAVE", source=ANY, target=done)
            def leave(self) -> None: ...

        assert check(Shop).findings == ()
