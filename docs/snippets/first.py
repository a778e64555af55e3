from fsmvoice import State, VoiceMachine, transition


class Door(VoiceMachine, id="door"):
    """A door you can talk to."""

    closed = State(initial=True, prompt="The door is closed.")
    opened = State(prompt="The door is open.")

    @transition("OPEN", source=closed, target=opened)
    def opening(self) -> None:
        """Open the door."""

    @transition("CLOSE", source=opened, target=closed)
    def closing(self) -> None:
        """Close the door."""


door = Door()
print(door.opening.sync().say)  # The door is open. You can close.
print(door.send_sync("OPEN").say)  # You can't open right now. You can close.
