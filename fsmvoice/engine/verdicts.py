"""Verdicts: for each event of the active states, whether it would be taken, and if not, why."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from fsmvoice.engine.candidates import NO_CANDIDATES, Candidates
from fsmvoice.engine.configuration import Configuration
from fsmvoice.engine.open_step import NOTHING, OPEN, OpenStep, Owner
from fsmvoice.engine.select import choose
from fsmvoice.errors import ActionFailed, ReasonCode, Refuse
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.nodes import Arc
from fsmvoice.model.payload import Payload
from fsmvoice.model.run_state import RunState

MAX_COMBINATIONS = 64

log: logging.Logger = logging.getLogger("fsmvoice")


Narrowed: TypeAlias = tuple[Mapping[str, tuple[Any, ...]] | None, bool]
"""The `accepted` and `depends_on_arguments` of a `Verdict`."""


class Verdict:
    """Whether an event would be taken.

    Attributes:
        possible: whether the event would be taken with some payload.
        reason: why it is not possible; None if it is.
        failed: whether a guard raised; that is logged, and counts as "no".
        arcs: for an impossible event, the arcs whose guards do not hold, or which forbid it.
        settled: whether `accepted` and `depends_on_arguments` are known already.
    """

    __slots__ = ("_narrow", "_narrowed", "arcs", "event", "failed", "possible", "reason")

    event: str
    possible: bool
    reason: ReasonCode | None
    failed: bool
    arcs: tuple[TransitionConfig, ...]

    def __init__(
        self,
        event: str,
        possible: bool,
        reason: ReasonCode | None = None,
        *,
        accepted: Mapping[str, tuple[Any, ...]] | None = None,
        depends_on_arguments: bool = False,
        failed: bool = False,
        arcs: tuple[TransitionConfig, ...] = (),
        narrow: Callable[[], Narrowed] | None = None,
    ) -> None:
        self.event, self.possible, self.reason, self.failed, self.arcs = event, possible, reason, failed, arcs
        self._narrow, self._narrowed = narrow, (accepted, depends_on_arguments)

    @property
    def settled(self) -> bool:
        return self._narrow is None

    @property
    def accepted(self) -> Mapping[str, tuple[Any, ...]] | None:
        """The choices that would be taken, for each parameter where some would not; None if there is no such parameter.

        Computed on first use by calling the guards with every payload, which most replies don't need.
        """
        return self._found()[0]

    @property
    def depends_on_arguments(self) -> bool:
        """Whether the arguments decide in a way that `accepted` does not express."""
        return self._found()[1]

    def _found(self) -> Narrowed:
        if self._narrow is not None:
            self._narrowed, self._narrow = self._narrow(), None
        return self._narrowed

    def _key(self) -> tuple[object, ...]:
        return (self.event, self.possible, self.reason, *self._found(), self.failed, self.arcs)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Verdict) else NotImplemented

    __hash__: None  # type: ignore[assignment]  # it may contain a mapping, which is not hashable

    def __repr__(self) -> str:
        return f"<Verdict {self.event}: {'possible' if self.possible else self.reason}>"


@dataclass(frozen=True, slots=True)
class Blocked:
    """An event of the active states that would not be taken. `say` is the spoken reason."""

    event: str
    reason: ReasonCode
    say: str


class _PayloadWanted(Exception):
    """A guard read the payload while none was given."""


class Look(OpenStep):
    """A step that only evaluates guards on one run state, and detects when one reads a payload that was not given."""

    __slots__ = ("_asked_with", "_outer")

    open: bool
    rejected: tuple[Arc, ...]

    def __init__(self, configuration: Configuration, state: RunState, owner: Owner) -> None:
        super().__init__(configuration.chart, state, "", NOTHING, owner)
        self.configuration = configuration
        self._asked_with: Mapping[str, Any] | None = None
        outer = OPEN.get()
        self._outer = outer if outer is not None and outer.looking and outer.open else None

    @property
    def event(self) -> Mapping[str, Any]:
        return {**self.payload, "type": self.type}

    @property
    def payload(self) -> Mapping[str, Any]:
        if self._asked_with is None:
            raise _PayloadWanted
        return self._asked_with

    def takes(self, event: str, payload: Mapping[str, Any]) -> bool:
        """Whether `event` would be taken with exactly this payload."""
        candidates = self._candidates(event)
        token = OPEN.set(self)
        try:
            return _takes(self._ask(candidates, payload)[0])
        finally:
            self.open = False
            OPEN.reset(token)

    def choice(self, event: str, payload: Mapping[str, Any]) -> tuple[Arc, ...]:
        """The arcs that take `event` with exactly this payload. Those whose guards do not hold are in `rejected`.

        Raises:
            ActionFailed: if a guard raised; its arc is the last in `rejected`.
            Refuse: if a guard refused; its arc is the last in `rejected`.
        """
        candidates = self._candidates(event)
        self._asked_with, self.rejected = payload, ()
        token = OPEN.set(self)
        try:
            return choose(self, candidates)
        finally:
            self.open = False
            OPEN.reset(token)

    def verdicts(self) -> Mapping[str, Verdict]:
        """A verdict for each event of the active states, in declaration order."""
        if self.before.status != "active":
            return {}
        configuration = self.configuration
        token = OPEN.set(self)
        try:
            found = {event: self._verdict(event, self._candidates(event)) for event in configuration.events}
        finally:
            self.open = False
            OPEN.reset(token)
        if all(configuration.asked.get(event) is verdict for event, verdict in found.items()):
            configuration.settled = MappingProxyType(found)
        return found

    def _candidates(self, event: str) -> Candidates:
        if self._outer is not None:
            self._refuse_circle(event)
        self.type = event
        return self.configuration.candidates(event) if self.before.status == "active" else NO_CANDIDATES

    def _refuse_circle(self, event: str) -> None:
        """Raise if this was asked by a guard, and whether `event` is possible is what that guard decides."""
        outer = self._outer
        while outer is not None and outer.open and outer.looking and outer.owner is self.owner:
            if outer.type == event:
                raise RecursionError(f"a guard of {event!r} asks whether {event!r} is possible, which is for it to say")
            outer = outer._outer if isinstance(outer, Look) else None

    def _ask(self, candidates: Candidates, payload: Mapping[str, Any] | None) -> tuple[tuple[Arc, ...], bool]:
        """The arcs that would take the event with `payload`, and whether a guard failed.

        Raises:
            _PayloadWanted: if `payload` is None and a guard reads it.
        """
        self._asked_with = payload
        self.rejected = ()
        try:
            return choose(self, candidates), False
        except ActionFailed as error:
            cause = error.__cause__
            if isinstance(cause, _PayloadWanted):
                raise cause from None
            return (), self._noted(error)
        except Refuse:
            return (), False

    def _verdict(self, event: str, candidates: Candidates) -> Verdict:
        known: Verdict | Combinations | None = self.configuration.asked.get(event)
        if known is not None:
            return known if isinstance(known, Verdict) else self._verdict_by_payload(event, candidates, known)
        if not _asks(candidates):
            verdict = self.configuration.asked[event] = self._asked(event, candidates)
            return verdict
        return self._asked(event, candidates)

    def _asked(self, event: str, candidates: Candidates) -> Verdict:
        try:
            taken, failed = self._ask(candidates, None)
        except _PayloadWanted:
            schema = self.chart.behaviour.payloads.get(event)
            combinations = None if schema is None else _combinations(schema)
            if combinations is None:
                return Verdict(event, True, depends_on_arguments=True)
            # From now on these guards are called with a payload right away: the exception costs as much as many calls.
            self.configuration.asked[event] = combinations
            return self._verdict_by_payload(event, candidates, combinations)
        return Verdict(event, True) if _takes(taken) else _no(event, taken or self._rejecting(), failed=failed)

    def _verdict_by_payload(self, event: str, candidates: Candidates, combinations: Combinations) -> Verdict:
        """The verdict over all possible payloads, up to the first that is taken."""
        against: dict[Arc, None] = {}
        failed = False
        for values in combinations.values:
            taken, broken = self._ask(candidates, combinations.payload(values))
            if _takes(taken):
                return Verdict(event, True, narrow=partial(_narrowed, self, event, combinations))
            failed = failed or broken
            against.update(dict.fromkeys(taken or self.rejected))
        return _no(event, tuple(against), failed=failed)

    def takes_of(self, event: str, combinations: Combinations) -> list[tuple[Any, ...]]:
        """The combinations of values with which `event` would be taken."""
        candidates = self._candidates(event)
        token = OPEN.set(self)
        try:
            return [
                values
                for values in combinations.values
                if _takes(self._ask(candidates, combinations.payload(values))[0])
            ]
        finally:
            self.open = False
            OPEN.reset(token)

    def _rejecting(self) -> tuple[Arc, ...]:
        return tuple(dict.fromkeys(self.rejected))

    @staticmethod
    def _noted(error: ActionFailed | Refuse) -> bool:
        """Log a guard that failed, and return whether it did. A refusal is not a failure."""
        if isinstance(error, Refuse):
            return False
        log.warning("%s; the event is listed as not possible", " ".join(str(error).split()))
        return True


class Combinations(NamedTuple):
    """Every payload that an event can have: parameter names, the choices of each, and all combinations of them."""

    names: tuple[str, ...]
    choices: tuple[tuple[Any, ...], ...]
    values: tuple[tuple[Any, ...], ...]

    def payload(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """The payload made of one item of `self.values`."""
        return dict(zip(self.names, values))  # noqa: B905 - each item of `values` has one value per name


def _narrowed(look: Look, event: str, combinations: Combinations) -> Narrowed:
    """The `accepted` choices of an event that some payload makes possible."""
    accepted = Look(look.configuration, look.before, look.owner).takes_of(event, combinations)
    if len(accepted) == len(combinations.values):
        return None, False
    narrowed: dict[str, tuple[Any, ...]] = {}
    told = 1
    for number, (name, offered) in enumerate(zip(combinations.names, combinations.choices, strict=True)):
        kept = tuple(value for value in offered if any(value == values[number] for values in accepted))
        told *= len(kept)
        if len(kept) < len(offered):
            narrowed[name] = kept
    return narrowed or None, told > len(accepted)


def _combinations(payload: Payload) -> Combinations | None:
    """All payloads; None if some parameter's values can't be listed, or there are too many combinations."""
    found: dict[str, tuple[Any, ...]] = {}
    count = 1
    for parameter in payload.parameters.values():
        choices = parameter.choices
        if choices is None:
            return None
        if not parameter.required and parameter.default not in choices:
            choices = (*choices, parameter.default)
        found[parameter.name] = choices
        count *= len(choices)
    if count > MAX_COMBINATIONS:
        return None
    return Combinations(tuple(found), tuple(found.values()), tuple(itertools.product(*found.values())))


def _asks(candidates: Candidates) -> bool:
    """Whether any guard decides which of them is taken."""
    if any(_asks(region) for region in candidates.regions):
        return True
    return bool(candidates.arcs) and candidates.arcs[0].guard is not None


def _takes(arcs: tuple[Arc, ...]) -> bool:
    if len(arcs) == 1:
        return not arcs[0].forbids
    return any(not arc.forbids for arc in arcs)


def _no(event: str, arcs: tuple[Arc, ...], *, failed: bool) -> Verdict:
    return Verdict(event, False, "guard-rejected", failed=failed, arcs=tuple(arc.config for arc in arcs))
