"""A machine with something to be said against it, and a silence with its reason."""

from __future__ import annotations

from fsmvoice import State, VoiceMachine, spoken, transition
from fsmvoice.check import check


class Kettle(VoiceMachine, id="kettle"):
    """Boil water."""

    cold = State(initial=True, prompt="Say BOIL to begin.", allow={"V05": "the word is printed on the lid"})
    hot = State(final=True, prompt="It is hot.")

    @spoken("boil the water", irreversible=True)
    @transition("BOIL", source=cold, target=hot)
    def boil(self) -> None:
        """Boil the water."""


if __name__ == "__main__":
    for finding in check(Kettle).findings:
        print(finding)
