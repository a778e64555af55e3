"""A list of things to do: free texts, places in a list, and what is confirmed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fsmvoice import State, VoiceMachine, spoken, transition

Number = Annotated[int, Field(ge=1, le=50)]


class Todo(VoiceMachine, id="todo"):
    """A list of things to do."""

    notes = State(initial=True, prompt="Here is your list.")

    @spoken(
        "add an item",
        utterances=[
            "add {text} to (my|the) list",
            "put {text} on (my|the) list",
            "remind me to {text}",
        ],
    )
    @transition("ADD", source=notes)
    def add(self, text: Annotated[str, Field(max_length=100)]) -> None: ...

    @spoken(
        "tick off an item",
        utterances=[
            "mark [number|item] {number} [as] done",
            "(tick|check) off [number|item] {number}",
            "[number|item] {number} is done",
            "i have (done|finished) [number|item] {number}",
        ],
    )
    @transition("DONE", source=notes)
    def done(self, number: Number) -> None: ...

    @spoken(
        "remove an item",
        utterances=[
            "(remove|delete) [number|item] {number}",
            "take [number|item] {number} off the list",
        ],
    )
    @transition("REMOVE", source=notes)
    def remove(self, number: Number) -> None: ...

    @spoken(
        "clear the list",
        confirm="Clear the whole list?",
        destructive=True,
        utterances=[
            "(clear|empty|wipe) the [whole] list",
            "(delete|remove) everything",
        ],
    )
    @transition("CLEAR", source=notes)
    def clear(self) -> None: ...

    @spoken(
        "read the list",
        utterances=[
            "what is on (my|the) list",
            "read [me|out] (the list|my list|my tasks)",
        ],
    )
    @transition("READ", source=notes)
    def read(self) -> None: ...
