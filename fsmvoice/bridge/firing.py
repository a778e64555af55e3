"""Fires an event in a turn: with a yes if it is confirmed, and in a new run if the machine has finished."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.verdicts import Look
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.turn import Sessions


class Permit(Protocol):
    """Whether an event may be fired in the state of a snapshot."""

    def __call__(self, snapshot: Snapshot[Any], /) -> bool: ...


class Firing:
    """Fires events on the actors of turns.

    Args:
        restarts: whether a finished machine starts a new run for an event that its initial state takes.
    """

    def __init__(self, sessions: Sessions, *, restarts: bool) -> None:
        self._sessions, self._restarts = sessions, restarts

    async def fire(self, actor: FsmActor[Any], event: str, values: Mapping[str, Any]) -> Outcome[Any]:
        """Fire an event that needs no yes."""
        outcome = await actor.fire(event, values)
        if outcome.ok or not self._restarts or not outcome.snapshot.done:
            return outcome
        begun = await (await self._again(actor)).fire(event, values)
        return begun if begun.ok else outcome

    async def fire_with(
        self, actor: FsmActor[Any], event: str, values: Mapping[str, Any], permit: Permit
    ) -> Outcome[Any]:
        """Fire an event if `permit` allows it; otherwise nothing is done and the outcome is `needs-confirmation`.

        An event that would be refused anyway is refused like any other, without asking `permit`.
        """
        outcome = await _permitted(actor, event, values, permit)
        if outcome.ok or not self._restarts or not outcome.snapshot.done:
            return outcome
        begun = await _permitted(await self._again(actor), event, values, permit)
        if begun.reason == "needs-confirmation":
            return _unasked(actor, actor.run_state, event, values)  # the new run begins only with the yes
        return begun if begun.ok else outcome

    async def _again(self, actor: FsmActor[Any]) -> FsmActor[Any]:
        """An actor at the start of a new run of the same session."""
        again = self._sessions.another(actor)
        await again.reset_async()
        return again


async def _permitted(actor: FsmActor[Any], event: str, values: Mapping[str, Any], permit: Permit) -> Outcome[Any]:
    before = actor.run_state
    possible = Look(configuration_of(actor.chart, before.leaves), before, actor).takes(event, values)
    permitted = possible and permit(actor.snapshot)
    if possible and not permitted:
        return _unasked(actor, before, event, values)
    outcome = await actor.fire(event, values)
    if not outcome.ok:
        return outcome
    # A timer that came due just now may have moved the machine, and a guard may have changed its mind.
    met = outcome.report.before
    if permitted and (met.run_state is before or permit(met)):
        return outcome
    permit(met)
    return _unasked(actor, before, event, values)


def _unasked(actor: FsmActor[Any], at: RunState, event: str, values: Mapping[str, Any]) -> Outcome[Any]:
    """The outcome of an event that waits for a yes in the state `at`. Anything done since is dropped."""
    report = Report(OpenStep(actor.chart, at, event, values, actor))
    return Outcome.refused(report, at, "needs-confirmation", changed=False)
