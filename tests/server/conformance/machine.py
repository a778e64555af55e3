"""A machine with what the suite asks a server under test to have, as far as a conversation can have it."""

from __future__ import annotations

from fsmvoice import State, VoiceMachine, guard, spoken, transition


class Conformance(VoiceMachine):
    """Answer what the conformance suite asks."""

    idle = State(initial=True, prompt="What would you like?")

    @guard("This tool returns an error for testing.")
    def never(self) -> bool:
        return False

    @spoken("have a text", says="This is a simple text response for testing.")
    @transition("TEST_SIMPLE_TEXT", source=idle)
    def simple_text(self) -> None:
        """Say a text."""

    @spoken("have an error")
    @transition("TEST_ERROR_HANDLING", source=idle, guard=never)
    def error_handling(self) -> None:
        """Say an error."""

    @spoken("tell who you are", says="Hello, {username}.")
    @transition("TEST_ELICITATION", source=idle)
    def elicitation(self, message: str, username: str, email: str) -> None:
        """Ask who calls."""
