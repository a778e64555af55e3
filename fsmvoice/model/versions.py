"""Migrations, and loading run states that were stored by another version of a machine."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast

from fsmvoice.errors import RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState

log: logging.Logger = logging.getLogger("fsmvoice")

Document: TypeAlias = dict[str, Any]
"""A run state in JSON form: `machine, version, states, context, history, timers, services, status, output, seq`."""
Rewrite: TypeAlias = Callable[[Document], Document]


class Migration:
    """A function that upgrades stored runs from one version to another."""

    __fsmvoice__ = "a migration"

    def __init__(self, before: str, after: str, rewrite: Rewrite) -> None:
        self.before: str = before
        self.after: str = after
        self.rewrite: Rewrite = rewrite

    def __call__(self, document: Document) -> Document:
        return self.rewrite(document)

    def __repr__(self) -> str:
        return f"<migration {self.before!r} -> {self.after!r}>"


def migration(before: str, after: str, /) -> Callable[[Rewrite], Migration]:
    """Decorate a function that rewrites stored runs of version `before` for version `after`.

    It is passed the JSON of `snapshot.persist()`, and returns it as the new version would have written it. In a class,
    put `@staticmethod` below it; for a config, pass it in `migrations=[...]`. It runs when the session is next used,
    and again if that call fails, so it must have no side effects.
    """

    def decorate(function: Rewrite) -> Migration:
        rewrite: Any = function.__func__ if isinstance(function, staticmethod) else function
        return Migration(before, after, cast("Rewrite", rewrite))

    return decorate


def load_run_state(chart: Chart, document: Mapping[str, Any]) -> RunState:
    """Load a run state, whichever version of the machine wrote it.

    A document that fits this definition is used as it is; any other is rewritten by the machine's migrations.

    Raises:
        RestoreError: naming both versions, if the document does not fit and no chain of migrations leads here.
    """
    try:
        return _fitting(chart, document)
    except RestoreError as misfit:
        steps = _path(chart.behaviour.migrations, document, chart.config.version)
        if not steps:
            raise
        failed = misfit
    changed: Any = copy.deepcopy(dict(document))
    for step in steps:
        try:
            changed = step.rewrite(changed)
            changed["version"] = step.after
        except Exception as error:
            raise RestoreError(
                f"the migration {step.before!r} -> {step.after!r} of {chart.name} failed: {error!r}; "
                f"it was needed, for {failed}"
            ) from error
    changed["definition"] = None
    return _fitting(chart, changed)


def _fitting(chart: Chart, document: Mapping[str, Any]) -> RunState:
    state = RunState.load(chart, document)
    if document.get("definition") == chart.definition or chart.behaviour.context.fields is None:
        return state
    lost = _lost(document.get("context"), chart.behaviour.context.dump(state.context, private=True))
    if lost is not None:
        version, mine = document.get("version"), chart.config.version
        raise RestoreError(
            f"the stored snapshot of {chart.name} (version {version!r}, this is {mine!r}) has the context field "
            f"{lost!r}, which would be lost; write a @migration({version!r}, {mine!r}), or keep the field"
        )
    return state


def _lost(given: Any, kept: Any, at: str = "") -> str | None:
    """The path of the first field that is in `given` but not in `kept`, or None."""
    if isinstance(given, Mapping) and isinstance(kept, Mapping):
        values = cast("Mapping[str, Any]", kept)
        for name, value in cast("Mapping[str, Any]", given).items():
            where = f"{at}.{name}" if at else name
            if name not in values:
                return where
            if (lost := _lost(value, values[name], where)) is not None:
                return lost
    if isinstance(given, list) and isinstance(kept, list):
        items, others = cast("Iterable[Any]", given), cast("Iterable[Any]", kept)
        pairs = zip(items, others, strict=False)
        return next((lost for one, other in pairs if (lost := _lost(one, other, f"{at}[]")) is not None), None)
    return None


def _path(migrations: Iterable[Migration], document: Mapping[str, Any], to: str | None) -> list[Migration]:
    """The shortest chain of migrations from the document's version to `to`; empty if there is none."""
    start = document.get("version") if isinstance(document, Mapping) else None  # pyright: ignore[reportUnnecessaryIsInstance] - JSON holds anything
    if not isinstance(start, str):  # it had no version, or is damaged
        return []
    known = list(migrations)
    ways: list[list[Migration]] = [[step] for step in known if step.before == start]
    seen = {start}
    while ways:
        way = ways.pop(0)
        last = way[-1].after
        if last == to:
            return way
        if last not in seen:
            seen.add(last)
            ways += [[*way, step] for step in known if step.before == last]
    return []
