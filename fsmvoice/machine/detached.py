"""A service or effect of a class while it runs: it reads copies of the context, so it can change nothing."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Self, cast

from fsmvoice.model.chart import Chart
from fsmvoice.model.copying import differing

log: logging.Logger = logging.getLogger("fsmvoice")


class Detached:
    """One run of a service or an effect. What it changes in its copy of the context is logged and dropped.

    Args:
        what: what the log calls it, such as "the effect 'mail'"; `advice` says what to do instead.
    """

    __slots__ = ("_advice", "_before", "_copy", "_of", "_what", "machine")

    machine: Any
    """The machine that it works for; None once it is over."""

    def __init__(self, machine: Any, what: str, advice: str) -> None:
        self.machine, self._what, self._advice = machine, what, advice
        self._of: Any = None
        self._copy: Any = None
        self._before: Detached | None = None

    def context(self, chart: Chart, committed: Any) -> Any:
        """A copy of the committed context: the same one until there is a newer commit."""
        if self._of is not committed:
            self._tell()
            self._of, self._copy = committed, chart.copy_context(committed)
        return self._copy

    def run(self, function: Callable[[], Any]) -> Any:
        """Call `function`, and wrap what it returns if that is to be awaited."""
        with self:
            result: Any = function()
        if isinstance(result, Awaitable):
            return _Awaited(self, cast("Awaitable[Any]", result))  # type: ignore[redundant-cast]  # pyright needs it
        self.end()
        return result

    def __enter__(self) -> Self:
        self._before = DETACHED.get()
        DETACHED.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        DETACHED.set(self._before)
        if error is not None:
            self.end()

    def end(self) -> None:
        """Log what was changed. From now on the machine's own context is read."""
        self._tell()
        self.machine = None

    def _tell(self) -> None:
        if self._copy is not None and (fields := differing(self._of, self._copy)):
            log.error(
                "%s of %s changed %s in its copy of the context, which nobody keeps; %s",
                self._what,
                type(self.machine).__name__,
                ", ".join(map(repr, fields)),
                self._advice,
            )


class _Awaited(Awaitable[Any]):
    """What is left of a run that waits."""

    def __init__(self, run: Detached, result: Awaitable[Any]) -> None:
        self._run, self._result = run, result

    def __await__(self) -> Generator[Any, Any, Any]:
        with self._run:
            result = yield from self._result.__await__()
        self._run.end()
        return result

    def close(self) -> None:
        close: Callable[[], None] | None = getattr(self._result, "close", None)
        if close is not None:
            close()


DETACHED: ContextVar[Detached | None] = ContextVar("fsmvoice_detached", default=None)
"""The service or effect that the running code is part of. A task that outlives it still sees it."""
