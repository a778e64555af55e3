"""A coffee kiosk where two things go on at once: it brews, and its light is on. `fsmvoice serve examples/kiosk.py`."""

from __future__ import annotations

from datetime import timedelta

from pydantic import BaseModel

from fsmvoice import Compound, History, Parallel, State, VoiceMachine, after, always, forbid, guard, spoken, transition

DOSE = 18
"""Grams of coffee that a cup takes."""


class KioskContext(BaseModel):
    grams: int = 0
    cups: int = 0


class Kiosk(VoiceMachine[KioskContext], id="kiosk", version="1"):
    """Make a coffee at the kiosk, and mind its light."""

    off = State(initial=True, prompt="The kiosk is off.")

    class on(Parallel):
        class brew(Compound):
            idle = State(initial=True, prompt=["Would you like a coffee?", "Say yes, and I make you a coffee."])
            grinding = State(prompt="There are {grams} grams of coffee in the filter.")
            heating = State(prompt="The water is getting hot.")
            ready = State(prompt="Your coffee is ready.")
            last = History()

        class light(Compound):
            dim = State(initial=True, prompt="The light is dim.")
            bright = State(prompt="The light is bright.")

    @guard("There is enough coffee in the filter already.")
    def not_enough(self) -> bool:
        return self.context.grams < DOSE

    def enough(self) -> bool:
        return self.context.grams >= DOSE

    @spoken("switch the kiosk on or off", utterances=["(switch|turn) (it|the kiosk) (on|off)", "power"])
    @transition("POWER", source=off, target=on.brew.last)
    @transition("POWER", source=on, target=off)
    def power(self) -> None:
        """Switch the kiosk on or off; it goes on where it was."""

    @spoken("make a coffee", answers="yes", utterances=["(make|get) me a coffee", "[a] coffee [please]"])
    @transition("MAKE", source=on.brew.idle, target=on.brew.grinding)
    def make(self) -> None:
        """Make a coffee."""
        self.context.grams = 0

    @spoken("grind some more", utterances=["grind [some] more", "more coffee"])
    @transition("GRIND", source=on.brew.grinding, target=on.brew.grinding, guard=not_enough, reenter=True)
    def grind(self) -> None:
        """Grind nine more grams."""
        self.context.grams += 9

    @always(source=on.brew.grinding, target=on.brew.heating, guard=enough)
    def dosed(self) -> None: ...

    @after(timedelta(seconds=30), source=on.brew.heating, target=on.brew.ready, says="The water is hot.")
    def hot(self) -> None:
        self.context.cups += 1

    @spoken("take the cup", says="Enjoy it!", utterances=["[i] (take|took) (it|the cup)"])
    @transition("TAKE", source=on.brew.ready, target=on.brew.idle)
    def take(self) -> None:
        """Take the cup out."""

    @spoken("change the light", utterances=["(change|switch) the light", "[make it] (brighter|darker)"])
    @transition("LIGHT", source=on.light.dim, target=on.light.bright)
    @transition("LIGHT", source=on.light.bright, target=on.light.dim)
    def change_light(self) -> None:
        """Make the light bright or dim."""

    no_power_off = forbid("POWER", source=on.brew.heating, reason="The water is hot, please wait a little.")
