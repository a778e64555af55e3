"""The steps of a turn, and the events, effects and news that they leave in the store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pydantic_core import to_json, to_jsonable_python

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.model.chart import Chart
from fsmvoice.model.private import is_private, without_private
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.store import EffectCall, Event

Journal: TypeAlias = list[tuple[OpenStep, RunState]]
"""The steps of a turn, oldest first, each with the run state that it led to."""

MOST_NEWS = 5
"""The number of texts that are kept for a session to which nobody listens, the newest."""


def upto(journal: Journal, final: RunState) -> Journal:
    """The part of a journal that leads to `final`, without later steps."""
    for number in range(len(journal), 0, -1):
        if journal[number - 1][1] is final:
            return journal[:number]
    return []


def events_of(  # noqa: PLR0917 - made for each call; passing keywords would slow each one down
    chart: Chart, before: RunState, journal: Journal, caller: str, request_id: str | None, own: int, audit: bool
) -> list[Event]:
    """The events of a journal, for the history.

    Args:
        caller: a hash of the caller's principal.
        own: the index of the call's own first step. Those before it are timers' steps.
        audit: whether the arguments are kept.
    """
    found: list[Event] = []
    last = len(journal) - 1
    value = _value(chart, before.leaves)
    for number, (step, after) in enumerate(journal):
        source, value = value, _value(chart, after.leaves)
        mine = number >= own
        found.append(
            Event(
                after.seq,
                step.first,
                source,
                value,
                request_id if number == last and mine else None,
                caller if mine else "",
                chart.config.version,
                hash_of(step.given) if step.given else "",
                arguments_of(chart, step) if audit and step.given else None,
            )
        )
    return found


def effects_of(journal: Journal, run: str) -> Sequence[EffectCall]:
    """The effects that the steps requested. Their ids consist of the session's run, the revision and a number."""
    return [
        EffectCall(f"{run}.{after.seq}.{number}", wanted.name, wanted.arguments)
        for step, after in journal
        if step.effects
        for number, wanted in enumerate(step.effects)
    ]


def news_of(chart: Chart, journal: Journal) -> tuple[str, ...]:
    """The texts about steps that nobody waited for, to be said later."""
    speak: Any = chart.behaviour.speak
    tell = getattr(speak, "news", None)
    if tell is None:
        return ()
    return tuple(text for step, after in journal for text in tell(Outcome(step, after, None, True)))


def hash_of(arguments: Mapping[str, Any]) -> str:
    """A hash of the arguments of an event."""
    try:
        text = to_json(arguments, inf_nan_mode="strings")
    except Exception:  # noqa: BLE001, RUF100 - the event is recorded even if its arguments have no JSON
        text = repr(arguments).encode(errors="replace")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def arguments_of(chart: Chart, step: OpenStep) -> str:
    """The arguments of an event as JSON, without private ones."""
    payload = chart.payloads.get(step.first)
    private = {
        name
        for name, parameter in (payload.parameters.items() if payload is not None else ())
        if any(map(is_private, getattr(parameter.annotation, "__metadata__", ())))
    }
    given = {name: value for name, value in step.given.items() if name not in private}
    shown = without_private(given, to_jsonable_python(given, by_alias=False, fallback=repr, inf_nan_mode="strings"))
    return json.dumps(shown, ensure_ascii=False)


def _value(chart: Chart, leaves: tuple[int, ...]) -> Any:
    return configuration_of(chart, leaves).value if leaves else None
