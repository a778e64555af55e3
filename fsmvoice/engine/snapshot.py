"""`Snapshot`: the users' view of a run: its state, its context, and the events possible in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from fsmvoice.engine.configuration import Configuration, configuration_of
from fsmvoice.engine.open_step import Nobody, Owner
from fsmvoice.engine.verdicts import Blocked, Look, Verdict
from fsmvoice.model.chart import Chart
from fsmvoice.model.copying import copied
from fsmvoice.model.nodes import Node
from fsmvoice.model.payload import json_value
from fsmvoice.model.run_state import RunState

C = TypeVar("C", default=Any)


class Snapshot(Generic[C]):
    """A view of a `RunState` on its `Chart`. The possible events are computed on first use, for its own context.

    Args:
        owner: the actor on whose machine a class's guards run. Without one, a new machine is made for them.
    """

    __slots__ = ("_at", "_owner", "_verdicts", "chart", "run_state")

    chart: Chart
    run_state: RunState

    def __init__(self, chart: Chart, run_state: RunState, owner: Owner | None = None) -> None:
        self.chart, self.run_state, self._owner = chart, run_state, owner
        self._verdicts: Mapping[str, Verdict] | None = None
        self._at: Configuration | None = None

    def __repr__(self) -> str:
        return f"<Snapshot {self.value!r} revision {self.revision}>"

    @property
    def _configuration(self) -> Configuration:
        at = self._at
        if at is None:
            at = self._at = configuration_of(self.chart, self.run_state.leaves)
        return at

    @property
    def value(self) -> str | dict[str, Any]:
        """The active states in XState's form: `"idle"`, or `{"on": {"brew": "heating", "light": "dim"}}`."""
        at = self._at or self._configuration
        value = at.value_when_done() if self.run_state.status == "done" else at.value
        return value if isinstance(value, str) else cast("dict[str, Any]", copied(value))

    @property
    def context(self) -> C:
        return cast("C", self.run_state.context)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The active states in document order, starting with the root."""
        return self._configuration.nodes

    @property
    def tags(self) -> frozenset[str]:
        """The tags of all active states."""
        return self._configuration.tags

    @property
    def output(self) -> Any:
        """The output of a finished machine, if it has one."""
        return self.run_state.output

    @property
    def done(self) -> bool:
        """Whether the machine is in a final state, in which no event is taken."""
        return self.run_state.status == "done"

    @property
    def revision(self) -> int:
        """The number of transitions committed in this run."""
        return self.run_state.seq

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """For each event of the active states, whether it would be taken; in declaration order."""
        if self._verdicts is None:
            self._verdicts = self._asked()
        return self._verdicts

    def _asked(self) -> Mapping[str, Verdict]:
        configuration = self._configuration
        settled: Mapping[str, Verdict] | None = configuration.settled
        if settled is not None and self.run_state.status == "active":
            return settled
        if self._owner is None:
            place = self.chart.behaviour.place
            self._owner = Nobody() if place is None else place(self.run_state)
        return Look(configuration, self.run_state, self._owner).verdicts()

    @property
    def notes(self) -> dict[Any, Any] | None:
        """A cache for what follows from `verdicts` alone; None if guards decide, because the verdicts then vary."""
        verdicts = self._verdicts or self.verdicts
        configuration = self._at or self._configuration
        return configuration.notes if verdicts is configuration.settled else None

    @property
    def available_events(self) -> tuple[str, ...]:
        """The events that would be taken now, in declaration order."""
        return tuple([event for event, verdict in self.verdicts.items() if verdict.possible])

    @property
    def blocked_events(self) -> tuple[Blocked, ...]:
        """The events of the active states that would not be taken now, each with the reason."""
        closed = [verdict for verdict in self.verdicts.values() if not verdict.possible]
        if not closed:
            return ()
        speak = self.chart.behaviour.speak
        return tuple(
            Blocked(
                verdict.event,
                verdict.reason or "guard-rejected",
                "" if speak is None else speak.reason(self, verdict.event, verdict.arcs, {}),
            )
            for verdict in closed
        )

    def matches(self, reference: str | Mapping[str, Any]) -> bool:
        """Whether a state is active, given by dotted path, `#id`, unambiguous key, or (partial) XState state value."""
        if not isinstance(reference, str):
            return _fits(reference, self._configuration.value)
        node = self.chart.find(reference)
        return node is not None and node.index in self._configuration.members

    def to_dict(self) -> dict[str, Any]:
        """The state as clients see it: JSON-ready, without private context fields."""
        state, verdicts = self.run_state, self._verdicts or self.verdicts
        available = [event for event, verdict in verdicts.items() if verdict.possible]
        blocked = () if len(available) == len(verdicts) else self.blocked_events
        found: dict[str, Any] = {
            "value": self.value,
            "context": self.chart.behaviour.context.dump(state.context, private=False),
            "availableEvents": available,
            "blockedEvents": [{"event": it.event, "reason": it.reason, "say": it.say} for it in blocked],
            "done": state.status == "done",
            "revision": state.seq,
        }
        if state.output is not None:
            found["output"] = json_value(state.output)
        return found

    def persist(self) -> dict[str, Any]:
        """The run state as JSON, including private fields: for stores and `restore`, never for clients."""
        return self.run_state.dump(self.chart)


def _fits(part: Any, value: Any) -> bool:
    """Whether the state value `part` is contained in `value`, as in XState's `matches`."""
    if isinstance(part, str):
        return part == value or (isinstance(value, dict) and part in value)
    if not isinstance(value, dict):
        return False
    inner = cast("dict[str, Any]", value)
    return all(key in inner and _fits(below, inner[key]) for key, below in part.items())
