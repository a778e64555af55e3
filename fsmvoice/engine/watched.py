"""A copy of a context, for code that may not change the context."""

from __future__ import annotations

from typing import Any

from fsmvoice.model.chart import Chart
from fsmvoice.model.copying import differing


class Watched:
    """A copy of a context, made when it is first read, that knows what was changed in it."""

    __slots__ = ("_chart", "_copy", "_of")

    def __init__(self, chart: Chart, context: Any) -> None:
        self._chart, self._of, self._copy = chart, context, None

    @property
    def context(self) -> Any:
        if self._copy is None:
            self._copy = self._chart.copy_context(self._of)
        return self._copy

    @property
    def changed(self) -> str:
        """The fields that were changed, as text."""
        return "" if self._copy is None else ", ".join(map(repr, differing(self._of, self._copy)))

    def check(self) -> None:
        """Raises TypeError if it was changed."""
        changed = self.changed
        if changed:
            raise TypeError(f"it changed {changed} in the context; it only looks, so change that in an action")
