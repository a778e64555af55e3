"""`Fire`: an event bound to a machine, to be called like a method: `await coffee.order(drink="latte")`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Generic

from fsmvoice.engine.outcome import Outcome
from fsmvoice.errors import NotAllowed, ReentrancyError, Suspended
from fsmvoice.machine.payload import arguments_by_name
from fsmvoice.machine.running import C, P, Running, actor_of, open_step_of
from fsmvoice.machine.suspending import suspended


class Fire(Generic[P, C]):
    """An event bound to a machine. Calling it sends the event and returns the outcome.

    Both a call and `sync` raise `NotAllowed` if the event is refused, not possible, or called with invalid arguments,
    and `ActionFailed` if an action, hook or guard raises. In either case nothing has changed.
    """

    __slots__ = ("_event", "_function", "_machine")

    def __init__(self, machine: Running[C], event: str, function: Callable[..., Any]) -> None:
        self._machine, self._event, self._function = machine, event, function

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Outcome[C]:
        """Send the event and wait for the outcome."""
        payload = self._payload(args, kwargs) if args else kwargs
        try:
            outcome = await actor_of(self._machine).send(self._event, **payload)
        except ReentrancyError as error:
            raise self._inside(error) from None
        if outcome.ok:
            return outcome
        raise _not_allowed(outcome)

    def sync(self, *args: P.args, **kwargs: P.kwargs) -> Outcome[C]:
        """Send the event without an event loop.

        Raises:
            Suspended: if some code has to wait; nothing has changed.
        """
        payload = self._payload(args, kwargs) if args else kwargs
        try:
            outcome = actor_of(self._machine).send_sync(self._event, **payload)
        except ReentrancyError as error:
            raise self._inside(error) from None
        except Suspended as error:
            raise suspended(error, self._machine, self._event, f"{self.__name__}(...)") from None
        if outcome.ok:
            return outcome
        raise _not_allowed(outcome)

    def can(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the event would be taken now. Only guards are called."""
        return actor_of(self._machine).can(self._event, **self._payload(args, kwargs))

    def queue(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Raise the event in an action; it is handled within this step, after the current transition.

        Raises:
            ReentrancyError: outside a step of this machine.
            InvalidPayload: if the arguments do not match the event.
        """
        step = open_step_of(self._machine)
        if step is None:
            raise ReentrancyError(
                f"{self._event} can be queued only inside a step of {type(self._machine).__name__}; "
                f"elsewhere, send it: `await machine.{self.__name__}(...)`"
            )
        checked = step.chart.behaviour.payloads[self._event].validate(self._payload(args, kwargs))
        step.raise_event(self._event, checked)

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self._function)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    @property
    def __name__(self) -> str:
        return self._function.__name__

    def __repr__(self) -> str:
        return f"<event {self._event} of {self._machine!r}>"

    def _payload(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
        return arguments_by_name(self._function, self._machine, args, kwargs)

    def _inside(self, error: ReentrancyError) -> ReentrancyError:
        name = self._function.__name__
        owner = self._function.__qualname__.rpartition(".")[0].rpartition(".")[2]
        if error.advised or open_step_of(self._machine) is None:  # it comes from another call inside the step
            return error
        return ReentrancyError(
            f"{error}. To raise {self._event} within this step, call self.{name}.queue(...); "
            f"to run the function of a base class, call {owner}.{name}.body(self, ...)",
            advised=True,
        )


def _not_allowed(outcome: Outcome[Any]) -> NotAllowed:
    """The exception for an event that was refused, with a message for developers."""
    faults = [f"{fault.message}; {fault.hint}" if fault.hint else fault.message for fault in outcome.report.faults]
    if faults:
        return NotAllowed(f"{outcome.event}: " + "; ".join(faults), outcome)
    can = ", ".join(outcome.available) or "nothing"
    which = f"{outcome.event} with these arguments" if outcome.event in outcome.available else outcome.event
    told = f"{which} is not possible in {outcome.state!r} ({outcome.reason}); possible now: {can}. "
    return NotAllowed(told + f"Said: {outcome.say}", outcome)
