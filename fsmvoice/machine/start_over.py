"""`machine.start_over`: return to the initial state and the start context."""

from __future__ import annotations

from typing import Generic

from fsmvoice.engine.outcome import Outcome
from fsmvoice.errors import Suspended
from fsmvoice.machine.running import C, Running, actor_of
from fsmvoice.machine.suspending import suspended


class StartOver(Generic[C]):
    """Starts a machine over. This is not an event: it is possible in every state, and no guard is called."""

    __slots__ = ("_machine",)

    def __init__(self, machine: Running[C]) -> None:
        self._machine = machine

    async def __call__(self) -> Outcome[C]:
        """Exit the active states, unless the machine is done, and enter the initial ones."""
        return await actor_of(self._machine).reset_async()

    def sync(self) -> Outcome[C]:
        """Start over without an event loop.

        Raises:
            Suspended: if some code has to wait; nothing has changed.
        """
        try:
            return actor_of(self._machine).reset()
        except Suspended as error:
            raise suspended(error, self._machine, "starting over", "start_over()") from None

    def __repr__(self) -> str:
        return f"<start over of {self._machine!r}>"
