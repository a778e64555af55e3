from typing import Annotated, Literal

from pydantic import Field

from fsmvoice import Ambiguous, Match, State, VoiceMachine, spoken, transition

Room = Literal["kitchen", "living room"]


class Blinds(VoiceMachine, id="blinds"):
    """Move the blinds by voice."""

    still = State(initial=True, prompt="Which blinds?")
    moving = State(prompt="They are moving.")

    @spoken("lower the blinds", utterances=["(lower|close|shut) the [{room}] blinds [by {percent} percent]"])
    @transition("LOWER", source=still, target=moving)
    def lower(self, room: Room = "kitchen", percent: Annotated[int, Field(ge=1, le=100)] = 100) -> None: ...

    @spoken("stop them", utterances=["(stop|hold) them"])
    @transition("STOP", source=moving, target=still)
    def halt(self) -> None: ...


blinds = Blinds()
heard = blinds.hear("Um, could you shut the living room blinds by thirty percent please?")
if isinstance(heard, Match):
    print(heard.event, dict(heard.payload))  # LOWER {'room': 'living room', 'percent': 30}
    print(blinds.send_sync(heard.event, **heard.payload).say)  # They are moving. You can stop them.
elif isinstance(heard, Ambiguous):
    print(heard.say)
