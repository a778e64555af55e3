"""A thermostat: numbers with bounds, and opposites."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fsmvoice import State, VoiceMachine, spoken, transition

Degrees = Annotated[int, Field(ge=5, le=30)]
Minutes = Annotated[int, Field(ge=5, le=120)]


class Thermostat(VoiceMachine, id="thermostat"):
    """Sets the heating."""

    home = State(initial=True, prompt="The heating is at your service.")
    away = State(prompt="The heating is in away mode.")

    @spoken(
        "set the temperature",
        utterances=[
            "(set|put|change|turn) (it|the temperature|the heating|the thermostat) (to|at) {degrees} [degrees]",
            "(i want|i would like) {degrees} degrees",
            "make it {degrees} [degrees]",
        ],
    )
    @transition("SET", source=home)
    def set_to(self, degrees: Degrees) -> None:
        self.context["degrees"] = degrees

    @spoken(
        "make it warmer",
        utterances=[
            "[make it] [a bit|a little] warmer",
            "turn (the heat|the heating|it) up",
            "it is too cold",
        ],
    )
    @transition("WARMER", source=home)
    def warmer(self) -> None: ...

    @spoken(
        "make it cooler",
        utterances=[
            "[make it] [a bit|a little] cooler",
            "turn (the heat|the heating|it) down",
            "it is too hot",
        ],
    )
    @transition("COOLER", source=home)
    def cooler(self) -> None: ...

    @spoken(
        "change the mode",
        utterances=[
            "(switch|change) [the mode] to {mode}",
            "set [the] mode to {mode}",
            "{mode} mode",
        ],
    )
    @transition("MODE", source=home)
    def mode(self, mode: Literal["heat", "cool", "auto", "off"]) -> None: ...

    @spoken(
        "boost the heating",
        utterances=[
            "boost [the heating] for {minutes} minutes",
            "(give me|start) a boost [for {minutes} minutes]",
        ],
    )
    @transition("BOOST", source=home)
    def boost(self, minutes: Minutes) -> None: ...

    @spoken(
        "leave",
        utterances=[
            "(i am|we are) (leaving|going out)",
            "away mode",
            "switch to away",
        ],
    )
    @transition("AWAY", source=home, target=away)
    def leave(self) -> None: ...

    @spoken(
        "come home",
        utterances=[
            "(i am|we are) (back|home) [again]",
        ],
    )
    @transition("HOME", source=away, target=home)
    def back(self) -> None: ...
