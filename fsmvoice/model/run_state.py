"""`RunState`: the state of one run as immutable data, and its JSON form, which stores keep."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from fsmvoice.errors import RestoreError, did_you_mean
from fsmvoice.model.chart import Chart
from fsmvoice.model.context import ContextError
from fsmvoice.model.nodes import Node
from fsmvoice.model.payload import json_value

Status: TypeAlias = Literal["active", "done", "error", "stopped"]
History: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""For each history node with a memory, the nodes it would enter. Sorted, so that values can be compared."""

_STATUSES = ("active", "done", "error", "stopped")
_MANY = 2**63 - 1
"""The largest integer of SQLite and PostgreSQL."""


class Timer(NamedTuple):
    """A delayed event. `due` is a time on the actor's clock and `delay` the full delay, both in milliseconds."""

    id: str
    event: str
    due: float
    delay: float


class Service(NamedTuple):
    """A started service. `key` identifies this invocation; `generation` counts how often it was started."""

    id: str
    key: str
    generation: int = 1


T = TypeVar("T", Timer, Service)


class RunState(NamedTuple):
    """The state of a run. `leaves` are the indexes of the innermost active nodes, which imply the other active ones."""

    leaves: tuple[int, ...]
    context: Any
    history: History = ()
    timers: tuple[Timer, ...] = ()
    status: Status = "active"
    output: Any = None
    seq: int = 0
    """The number of committed transitions."""
    services: tuple[Service, ...] = ()
    """The running services, which have to be started again after a restore."""

    def dump(self, chart: Chart) -> dict[str, Any]:
        """The JSON form, with states as dotted paths. It includes private context fields."""
        names = [chart.name_of(node) for node in chart.nodes]
        return {
            "machine": chart.config.id,
            "version": chart.config.version,
            "definition": chart.definition,
            "states": [names[leaf] for leaf in self.leaves],
            "context": chart.behaviour.context.dump(self.context, private=True),
            "history": {names[key]: [names[index] for index in kept] for key, kept in self.history},
            "timers": [timer._asdict() for timer in self.timers],
            "services": [service._asdict() for service in self.services],
            "status": self.status,
            "output": json_value(self.output),
            "seq": self.seq,
        }

    @classmethod
    def load(cls, chart: Chart, data: Mapping[str, Any]) -> RunState:
        """A run state from the output of `dump`, which may come from an older definition of the machine.

        Raises:
            RestoreError: naming the part that does not fit this definition.
        """
        return _Reader(chart, data).run_state()


class _Reader:
    """Reads one document, checking that everything in it exists in this definition.

    Even a document with this definition's hash is checked, because it may have been damaged.
    """

    def __init__(self, chart: Chart, data: Mapping[str, Any]) -> None:
        self.chart, self.data = chart, data
        if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - JSON holds anything
            raise RestoreError(f"a stored snapshot of {chart.name} is an object, not {type(data).__name__}")
        machine = self._part("machine", str, type(None))
        if machine != chart.config.id:
            raise RestoreError(f"the stored snapshot is of machine {machine!r}; this is {chart.name}")

    def run_state(self) -> RunState:
        leaves = tuple(sorted(self._node(path, "states").index for path in self._part("states", list)))
        status: Status = self._part("status", str)
        if status not in _STATUSES:
            raise self._misfit(f"the status {status!r}", f"it should be one of {', '.join(_STATUSES)}")
        seq = self._part("seq", int)
        if not 0 <= seq <= _MANY:
            raise self._misfit("'seq' is not a count of transitions", "")
        state = RunState(
            leaves,
            self._context(),
            self._history(),
            self._each_once(tuple(self._timer(item) for item in self._part("timers", list)), "timer"),
            status,
            self.data.get("output"),
            seq,
            self._each_once(
                tuple(self._service(item) for item in self._part("services", list, type(None)) or ()), "service"
            ),
        )
        self._part("version", str, type(None))
        self._part("definition", str, type(None))
        self._check_configuration([self.chart.nodes[leaf] for leaf in leaves])
        return state

    def _part(self, key: str, *kinds: type[Any]) -> Any:
        if key not in self.data and type(None) not in kinds:
            raise self._misfit(f"{key!r} is missing", "")
        value = self.data.get(key)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise self._misfit(f"{key!r} is {type(value).__name__}", f"it should be {kinds[0].__name__}")
        return value

    def _node(self, path: Any, part: str) -> Node:
        node = self.chart.node_of(path) if isinstance(path, str) else None
        if node is None:
            known = [name for name in self.chart.by_path if name]
            raise self._misfit(f"{part} names the state {path!r}", did_you_mean(str(path), known))
        return node

    def _context(self) -> Any:
        data = self._part("context", dict)
        try:
            return self.chart.behaviour.context.load(data)
        except ContextError as error:
            raise self._misfit(str(error), "") from None

    def _history(self) -> History:
        kept: dict[int, tuple[int, ...]] = {}
        remembered: dict[str, list[Any]] = self._part("history", dict)
        for key, paths in remembered.items():
            node = self._node(key, "history")
            if node.kind != "history" or type(paths) is not list:
                raise self._misfit(f"history remembers something for {key!r}", "that is not a history state")
            found = [self._node(path, f"history of {key!r}") for path in paths]
            self._check_remembered(node, found)
            kept[node.index] = tuple(sorted(held.index for held in found))
        return tuple(sorted(kept.items()))

    def _check_remembered(self, history: Node, held: list[Node]) -> None:
        """Check that the remembered states can be entered together; other regions start at their initial state."""
        if not held:
            raise self._misfit(f"history of {history.path!r} remembers nothing", "leave it out then")
        parent = history.parent or self.chart.root
        for node in held:
            if not (parent.holds(node) and node.is_leaf if history.deep else node.parent is parent):
                raise self._misfit(f"history of {history.path!r} remembers {node.path!r}", "that is not one of its own")
        entered = {above for node in held for above in (node, *node.up_to(parent))}
        for above in {parent, *entered}:
            inside = [child.path for child in above.children if child in entered]
            if above.kind == "compound" and len(inside) > 1:
                told = ", ".join(map(repr, inside))
                raise self._misfit(f"history of {history.path!r} remembers {told}", "it should be one state")

    def _timer(self, item: Any) -> Timer:
        hint = "it should have id, event, due and delay: two texts and two numbers"
        if not isinstance(item, Mapping):
            raise self._misfit(f"a timer is {type(item).__name__}", hint)
        stored = cast("Mapping[str, Any]", item)
        name, event = stored.get("id"), stored.get("event")
        due, delay = _finite(stored.get("due")), _finite(stored.get("delay"))
        if not isinstance(name, str) or not isinstance(event, str) or due is None or delay is None:
            raise self._misfit(f"a timer is {dict(stored)!r:.200}", hint)
        timer = Timer(name, event, due, delay)
        if timer.event not in self.chart.delays:
            raise self._misfit(f"a timer sends {timer.event!r}", did_you_mean(timer.event, self.chart.delays))
        return timer

    def _service(self, item: Any) -> Service:
        hint = "it should have id, key and generation: two texts and a count"
        if not isinstance(item, Mapping):
            raise self._misfit(f"a service is {type(item).__name__}", hint)
        stored = cast("Mapping[str, Any]", item)
        name, key, generation = stored.get("id"), stored.get("key"), stored.get("generation")
        counts = type(generation) is int and 0 <= generation <= _MANY
        if not isinstance(name, str) or not isinstance(key, str) or not counts:
            raise self._misfit(f"a service is {dict(stored)!r:.200}", hint)
        service = Service(name, key, cast("int", generation))
        if service.id not in self.chart.services:
            raise self._misfit(f"the service {service.id!r} runs", did_you_mean(service.id, self.chart.services))
        return service

    def _each_once(self, found: tuple[T, ...], what: str) -> tuple[T, ...]:
        names = [item.id for item in found]
        for name in names:
            if names.count(name) > 1:
                raise self._misfit(f"the {what} {name!r} runs twice", "")
        return found

    def _check_configuration(self, leaves: list[Node]) -> None:
        active = set(leaves)
        for leaf in leaves:
            active.update(leaf.up_to(None))
        for node in [self.chart.root, *sorted(active, key=lambda node: node.index)]:
            inside = [child for child in node.children if child in active]
            wanted = len(node.children) if node.kind == "parallel" else 1 if node.kind == "compound" else 0
            if len(inside) != wanted and not (inside and node.kind == "compound" and self.chart.overlaps):
                told = "no state" if not inside else "only " + ", ".join(repr(child.path) for child in inside)
                raise self._misfit(f"it stands in {told} of {str(node)!r}", f"a {node.kind} state needs {wanted}")

    def _misfit(self, what: str, hint: str) -> RestoreError:
        version = self.data.get("version")
        mine = self.chart.config.version
        versions = f" (stored by version {version!r}, this is {mine!r})" if version != mine else ""
        return RestoreError(
            f"the stored snapshot does not fit {self.chart.name}{versions}: {what}" + (f"; {hint}" if hint else "")
        )


def _finite(value: Any) -> float | None:
    """`value` as a finite float, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
