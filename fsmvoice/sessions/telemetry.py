"""Reports turns to OpenTelemetry and to the log: names, times and codes, never what anybody said or stored."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable
from typing import Any, Final, Protocol, TypeVar

from fsmvoice.sessions.attempt import Turn
from fsmvoice.sessions.keys import SessionKey
from fsmvoice.sessions.store import Commit, Committed, SessionStore, StoredSession

logger: logging.Logger = logging.getLogger("fsmvoice")

T = TypeVar("T")

NAME: Final = "fsmvoice"
"""The instrumentation scope."""
SHOWN: Final = 16
"""Characters of a session's storage key, itself a hash, that are reported."""


class _Measure(Protocol):
    """A histogram or counter of OpenTelemetry."""

    def record(self, amount: float, attributes: Any = None) -> None: ...
    def add(self, amount: float, attributes: Any = None) -> None: ...


class Telemetry:
    """Reports turns, if anything collects the reports.

    Attributes:
        on: whether an OpenTelemetry provider is set or `INFO` records are logged. This is checked at the first turn,
            so that telemetry costs nothing otherwise.
    """

    def __init__(self) -> None:
        self.on: bool = False
        self._tracer: Any = None
        self._durations: _Measure | None = None
        self._store: _Measure | None = None
        self._transitions: _Measure | None = None

    def look(self, tracers: Any = None, meters: Any = None) -> None:
        """Check whether anything collects reports. Given providers are used instead of the global ones."""
        tracers, meters = tracers or _tracers(), meters or _meters()
        self._tracer = None if tracers is None else tracers.get_tracer(NAME)
        if meters is None:
            self._durations = self._store = self._transitions = None
        else:
            meter = meters.get_meter(NAME)
            self._durations = meter.create_histogram("fsmvoice.turn.duration", "s", "Duration of calls")
            self._store = meter.create_histogram("fsmvoice.store.duration", "s", "Duration of store operations")
            self._transitions = meter.create_counter("fsmvoice.transitions", "1", "Committed transitions")
        self.on = tracers is not None or meters is not None or logger.isEnabledFor(logging.INFO)

    async def turn(self, machine: str, key: SessionKey, event: str, work: Awaitable[Turn]) -> Turn:
        """Await a turn and report it."""
        began = time.perf_counter()
        if self._tracer is None:
            turn = await work
            self._tell(machine, key, event, turn, time.perf_counter() - began)
            return turn
        named = {"fsmvoice.machine": machine, "fsmvoice.session": key.storage[:SHOWN]}
        # The text of an exception may contain private data.
        quiet = {"record_exception": False, "set_status_on_exception": False}
        with self._tracer.start_as_current_span(f"turn {event}".rstrip(), attributes=named, **quiet) as span:
            try:
                turn = await work
            except asyncio.CancelledError:
                span.set_attribute("fsmvoice.reason", "cancelled")
                raise
            told = self._tell(machine, key, event, turn, time.perf_counter() - began)
            span.set_attributes({f"fsmvoice.{name}": value for name, value in told.items() if value is not None})
            return turn

    async def load(self, store: SessionStore, key: str, request_id: str | None) -> StoredSession | None:
        """Load a session and report how long it took."""
        return await self._timed("load", store.load(key, request_id))

    async def commit(self, store: SessionStore, commit: Commit) -> Committed:
        """Commit and report how long it took and which transitions it made."""
        done = await self._timed("commit", store.commit(commit))
        if done == "committed" and self._transitions is not None:
            for event in commit.events:
                named = {"machine": commit.machine, "event": event.name}
                self._transitions.add(1, {**named, "from": _text(event.source), "to": _text(event.target)})
        return done

    async def _timed(self, operation: str, work: Awaitable[T]) -> T:
        began, outcome = time.perf_counter(), "failed"
        span = None if self._tracer is None else self._tracer.start_span(f"store {operation}")
        try:
            result = await work
            outcome = result if isinstance(result, str) else "done"
            return result
        finally:
            if span is not None:
                span.set_attribute("fsmvoice.outcome", outcome)
                span.end()
            if self._store is not None:
                self._store.record(time.perf_counter() - began, {"operation": operation, "outcome": outcome})

    def _tell(self, machine: str, key: SessionKey, event: str, turn: Turn, seconds: float) -> dict[str, Any]:
        outcome = turn.outcome
        told: dict[str, Any] = {
            "machine": machine,
            "event": event or ("" if outcome is None else outcome.event),
            "from": None if outcome is None else _text(outcome.report.before.value),
            "to": None if outcome is None else _text(outcome.snapshot.value),
            "reason": turn.reason,
            "changed": turn.changed,
            "replayed": turn.replayed is not None,
            "revision": None if outcome is None else outcome.snapshot.revision,
        }
        if self._durations is not None:
            named = {"machine": machine, "event": told["event"], "reason": turn.reason or ""}
            self._durations.record(seconds, named)
        if logger.isEnabledFor(logging.INFO):
            fields = {**told, "session": key.storage[:SHOWN], "duration_ms": round(seconds * 1000, 3)}
            logger.info("%s: %s", told["event"] or "a call", turn.reason or "done", extra=fields)
        return told


telemetry: Telemetry = Telemetry()
"""The telemetry of this process."""


def _text(value: Any) -> str:
    """A state value as a string: JSON if it is not one already, '' for None."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, separators=(",", ":"))


def _tracers() -> Any:
    """The global tracer provider, None if none is set or OpenTelemetry is not installed."""
    try:
        from opentelemetry import trace  # noqa: PLC0415 - installed with mcp, but sessions don't need it
    except ImportError:
        return None
    found = trace.get_tracer_provider()
    return None if isinstance(found, trace.ProxyTracerProvider | trace.NoOpTracerProvider) else found


def _meters() -> Any:
    """The global meter provider, None if none is set or OpenTelemetry is not installed."""
    try:
        from opentelemetry import metrics  # noqa: PLC0415 - installed with mcp, but sessions don't need it
    except ImportError:
        return None
    found = metrics.get_meter_provider()
    unset = type(found).__name__ == "_ProxyMeterProvider"  # the class is not public
    return None if unset or isinstance(found, metrics.NoOpMeterProvider) else found
