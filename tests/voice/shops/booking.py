"""Appointments: days, hours, dates and a code."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fsmvoice import State, VoiceMachine, spoken, transition

Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday"]
Month = Literal["may", "june", "july"]
Hour = Annotated[int, Field(ge=8, le=17)]


class Booking(VoiceMachine, id="booking"):
    """Books appointments."""

    idle = State(initial=True, prompt="Which day suits you?")
    booked = State(prompt="Your appointment is booked. What is your code?")

    @spoken(
        "book an appointment",
        utterances=[
            "(book|make|i want|i would like|i need) [me in|an appointment] (for|on) {day} [at {hour}]",
            "can i come [in] on {day} [at {hour}]",
            "{day} at {hour}",
        ],
    )
    @transition("BOOK", source=idle, target=booked)
    def book(self, day: Day, hour: Hour) -> None: ...

    @spoken(
        "choose a date",
        utterances=[
            "[on] the {date} of {month}",
            "(i want|i would like) to come on the {date} of {month}",
            "{month} the {date}",
        ],
    )
    @transition("DATE", source=idle, target=booked)
    def on_date(self, date: Annotated[int, Field(ge=1, le=31)], month: Month) -> None: ...

    @spoken(
        "give your code",
        utterances=[
            "[my|the] code is {code}",
            "it is {code}",
            "code {code}",
        ],
    )
    @transition("CODE", source=booked)
    def code(self, code: Annotated[int, Field(ge=100, le=999)]) -> None: ...

    @spoken(
        "move the appointment",
        utterances=[
            "(move|reschedule) [it|my appointment] to {day} [at {hour}]",
        ],
    )
    @transition("MOVE", source=booked)
    def move(self, day: Day, hour: Hour = 9) -> None: ...

    @spoken(
        "cancel the appointment",
        utterances=[
            "cancel [it|my appointment]",
        ],
    )
    @transition("CANCEL", source=booked, target=idle)
    def cancel(self) -> None: ...
