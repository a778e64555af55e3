from fsmvoice import State, VoiceMachine, to_dot, to_mermaid, transition
from fsmvoice.exporters.dot_ids import dot_ids


class Door(VoiceMachine, id="door"):
    """A door you can talk to."""

    closed = State(initial=True, prompt="The door is closed.")
    opened = State(prompt="The door is open.")

    @transition("OPEN", source=closed, target=opened)
    def open(self) -> None: ...

    @transition("CLOSE", source=opened, target=closed)
    def close(self) -> None: ...


print(to_mermaid(Door.config, active=["closed"]))
dot = to_dot(Door.config)
ids = dot_ids(Door.config)
print(ids["states"]["closed"])  # state-closed
print(ids["arcs"][0])  # {'element': 'arc-0', 'source': 'closed', 'event': 'OPEN', 'target': 'opened'}
