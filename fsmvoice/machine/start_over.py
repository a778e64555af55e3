"""`machine.start_over`: begin again from the initial state, with the context that the machine began with."""

from __future__ import annotations

from typing import Generic

from fsmvoice.engine.outcome import Outcome
from fsmvoice.errors import Suspended
from fsmvoice.machine.running import C, Running, actor_of
from fsmvoice.machine.suspending import suspended


class StartOver(Generic[C]):
    """Starts a machine over. An operation, not an event: it is possible in every state, and guards don't see it."""

    __slots__ = ("_machine",)

    def __init__(self, machine: Running[C]) -> None:
        self._machine = machine

    async def __call__(self) -> Outcome[C]:
        """Run the exits of what is active (unless the machine is done), then start anew."""
        return await actor_of(self._machine).reset_async()

    def sync(self) -> Outcome[C]:
        """The same without an event loop. Raises Suspended, with nothing changed, if something has to wait."""
        try:
            return actor_of(self._machine).reset()
        except Suspended as error:
            raise suspended(error, self._machine, "starting over", "start_over()") from None

    def __repr__(self) -> str:
        return f"<start over of {self._machine!r}>"
