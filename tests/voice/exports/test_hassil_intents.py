"""hassil reads the YAML, and recognises each sentence in its own states and nowhere else."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from examples.coffee import Coffee
from fsmvoice import Compound, State, VoiceMachine, spoken, transition
from fsmvoice.voice.exports.hassil_intents import states_of, to_hassil
from fsmvoice.voice.heard import Match
from fsmvoice.voice.templates import read_template, sentences
from fsmvoice.voice.utterances import hearing_of

hassil = pytest.importorskip("hassil", reason="hassil (the extra 'voice') is not installed")
yaml = pytest.importorskip("yaml", reason="PyYAML, which comes with hassil, is not installed")


class Lamp(VoiceMachine):
    off = State(initial=True)

    class on(Compound):
        dim = State(initial=True)
        bright = State()

    @spoken("set it", utterances=["set it to {level} [percent]", "call it {name}"])
    @transition("SET", source=on)
    def level(self, level: Annotated[int, Field(ge=0, le=100)] = 50, name: str = "") -> None: ...

    @transition("POWER", source=off, target=on)
    @transition("POWER", source=on, target=off)
    def power(self) -> None: ...

    @transition("MORE", source=on.dim, target=on.bright)
    def more(self) -> None: ...


def recognise(machine: type[VoiceMachine[Any]], text: str, state: str) -> tuple[str, dict[str, Any]] | None:
    intents = hassil.Intents.from_dict(yaml.safe_load(to_hassil(machine.chart)))
    found = hassil.recognize_best(text, intents, intent_context={"fsm_state": state})
    if found is None:
        return None
    return found.intent.name, {name: entity.value for name, entity in found.entities.items()}


def test_a_sentence_is_recognised_in_the_states_that_take_it() -> None:
    assert recognise(Coffee, "get me a large latte", "idle") == ("ORDER", {"size": "large", "drink": "latte"})
    assert recognise(Coffee, "get me a large latte", "ordering") is None
    assert recognise(Coffee, "cancel the order", "ordering") == ("CANCEL", {})


def test_numbers_and_free_texts_are_recognised() -> None:
    assert recognise(Lamp, "set it to 40 percent", "on.dim") == ("SET", {"level": 40})
    assert recognise(Lamp, "call it desk lamp", "on.bright") == ("SET", {"name": "desk lamp"})
    assert recognise(Lamp, "set it to 40 percent", "off") is None


def test_an_event_of_a_compound_state_is_known_by_its_leaves() -> None:
    assert states_of(Lamp.chart, "POWER") == ["off", "on.dim", "on.bright"]
    assert states_of(Lamp.chart, "MORE") == ["on.dim"]


def test_what_hassil_recognises_is_what_is_heard_here() -> None:
    order = hearing_of(Coffee.chart).events["ORDER"]
    for template in order.templates[:2]:
        for text in sentences(template.part, 25):
            said = text.replace("{drink}", "latte").replace("{size}", "small")
            heard = Coffee().hear(said)
            assert isinstance(heard, Match)
            recognised = recognise(Coffee, said, "idle")
            assert recognised is not None, said
            assert recognised == ("ORDER", dict(heard.payload))


def test_words_that_hassil_would_read_as_its_own_are_escaped() -> None:
    class Odd(VoiceMachine):
        a = State(initial=True)

        @spoken('say "hi" & bye: #1', utterances=["say [a|b] now"])
        @transition("SAY", source=a)
        def say_it(self) -> None: ...

    data = yaml.safe_load(to_hassil(Odd.chart))
    assert data["intents"]["SAY"]["data"][0]["sentences"] == ["say [a|b] now", "say hi & bye #1"]
    assert read_template("say [a|b] now")


def test_signs_that_hassil_drops_from_what_it_hears_are_not_written() -> None:
    class Loud(VoiceMachine):
        a = State(initial=True)

        @spoken("do it now.", utterances=["do it!", "make it so?", "give me {drink}: now"])
        @transition("ACT", source=a)
        def act(self, drink: Literal["half; half", "tea (green)"] = "half; half") -> None: ...

    for said in ("do it!", "make it so?", "do it now."):
        assert recognise(Loud, said, "a") == ("ACT", {})
    assert recognise(Loud, "give me tea (green): now", "a") == ("ACT", {"drink": "tea (green)"})
    assert recognise(Loud, "give me half; half now", "a") == ("ACT", {"drink": "half; half"})


@pytest.mark.parametrize("event", ["ON", "no", "null", "1.5", "注文", "🎉", "a: b"])
def test_an_event_may_be_called_anything(event: str) -> None:
    class Odd(VoiceMachine):
        a = State(initial=True)

        @spoken("switch the light")
        @transition(event, source=a)
        def switch(self) -> None: ...

    assert recognise(Odd, "switch the light", "a") == (event, {})


def test_a_machine_that_nobody_speaks_to_is_read() -> None:
    class Mute(VoiceMachine):
        a = State(initial=True)

        @spoken(tool=False)
        @transition("TICK", source=a)
        def tick(self) -> None: ...

    assert not hassil.Intents.from_dict(yaml.safe_load(to_hassil(Mute.chart))).intents


def test_names_that_make_one_list_name_have_lists_of_their_own() -> None:
    class Alike(VoiceMachine):
        a = State(initial=True)

        @spoken("pick one", utterances=["take {b_c}", "give {bC}"])
        @transition("A", source=a)
        def pick(self, b_c: Literal["tea", "milk"] = "tea", bC: Literal["cup", "mug"] = "cup") -> None: ...  # noqa: N803 - on purpose

    assert recognise(Alike, "take milk", "a") == ("A", {"b_c": "milk"})
    assert recognise(Alike, "give mug", "a") == ("A", {"bC": "mug"})
    assert recognise(Alike, "give milk", "a") is None
