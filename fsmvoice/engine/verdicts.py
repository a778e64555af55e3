"""What can be done now: for each event that the active states declare, whether it would be taken, and if not, why."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

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


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an event would be taken.

    Attributes:
        possible: whether some payload would be taken.
        reason: why not; None if possible.
        accepted: for parameters of which only some choices would be taken, those; None where nothing is narrowed.
        depends_on_arguments: whether only the arguments decide, in a way that `accepted` doesn't tell.
        failed: a guard raised while it was asked; counted as "no", and logged.
        arcs: of an event that is not possible, the arcs whose guards said no, or which forbid it.
    """

    event: str
    possible: bool
    reason: ReasonCode | None = None
    accepted: Mapping[str, tuple[Any, ...]] | None = None
    depends_on_arguments: bool = False
    failed: bool = False
    arcs: tuple[TransitionConfig, ...] = ()


@dataclass(frozen=True, slots=True)
class Blocked:
    """An event that the active states declare and that would not be taken; `say` tells why, in words."""

    event: str
    reason: ReasonCode
    say: str


class _PayloadWanted(Exception):
    """A guard asked for the payload before there is one."""


class Look(OpenStep):
    """A step that only asks guards, about one run state, and notices when one wants a payload that nobody gave."""

    __slots__ = ("_asked_with",)

    open: bool
    rejected: tuple[Arc, ...]

    def __init__(self, configuration: Configuration, state: RunState, owner: Owner) -> None:
        super().__init__(configuration.chart, state, "", NOTHING, owner)
        self.configuration = configuration
        self._asked_with: Mapping[str, Any] | None = None

    @property
    def event(self) -> Mapping[str, Any]:
        return {**self.payload, "type": self.type}

    @property
    def payload(self) -> Mapping[str, Any]:
        if self._asked_with is None:
            raise _PayloadWanted
        return self._asked_with

    def takes(self, event: str, payload: Mapping[str, Any]) -> bool:
        """Whether `event` would be taken with just this payload."""
        candidates = self._candidates(event)
        token = OPEN.set(self)
        try:
            return _takes(self._ask(candidates, payload)[0])
        finally:
            self.open = False
            OPEN.reset(token)

    def verdicts(self) -> Mapping[str, Verdict]:
        """A verdict for each event that the active states declare, in declaration order."""
        if self.before.status != "active":
            return {}
        token = OPEN.set(self)
        try:
            return {event: self._verdict(event, self._candidates(event)) for event in self.configuration.events}
        finally:
            self.open = False
            OPEN.reset(token)

    def _candidates(self, event: str) -> Candidates:
        self.type = event
        return self.configuration.candidates(event) if self.before.status == "active" else NO_CANDIDATES

    def _ask(self, candidates: Candidates, payload: Mapping[str, Any] | None) -> tuple[tuple[Arc, ...], bool]:
        """The arcs that would take the event with `payload`, and whether a guard failed.

        Raises:
            _PayloadWanted: if it is None, and a guard asks for it.
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
        if not candidates.regions and candidates.arcs and candidates.arcs[0].guard is None:
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
            # Guards that asked for it once are asked with one from now on: a failed try costs as much as many answers.
            self.configuration.asked[event] = combinations
            return self._verdict_by_payload(event, candidates, combinations)
        return Verdict(event, True) if _takes(taken) else _no(event, taken or self._rejecting(), failed=failed)

    def _verdict_by_payload(self, event: str, candidates: Candidates, combinations: Combinations) -> Verdict:
        """The verdict over every payload there can be."""
        names = combinations.names
        accepted: list[tuple[Any, ...]] = []
        against: dict[Arc, None] = {}
        failed = False
        for values in combinations.values:
            self._asked_with = dict(zip(names, values))  # noqa: B905 - values are of these names
            self.rejected = ()
            try:
                taken = choose(self, candidates)
            except (ActionFailed, Refuse) as error:
                taken = ()
                failed = self._noted(error) or failed
            if _takes(taken):
                accepted.append(values)
            else:
                against.update(dict.fromkeys(taken or self.rejected))
        if not accepted:
            return _no(event, tuple(against), failed=failed)
        if len(accepted) == len(combinations.values):
            return Verdict(event, True)
        narrowed: dict[str, tuple[Any, ...]] = {}
        told = 1
        for name, offered, taken_values in zip(names, combinations.choices, zip(*accepted, strict=True), strict=True):
            kept = tuple(value for value in offered if value in taken_values)
            told *= len(kept)
            if len(kept) < len(offered):
                narrowed[name] = kept
        return Verdict(event, True, accepted=narrowed or None, depends_on_arguments=told > len(accepted))

    def _rejecting(self) -> tuple[Arc, ...]:
        return tuple(dict.fromkeys(self.rejected))

    @staticmethod
    def _noted(error: ActionFailed | Refuse) -> bool:
        """Log a guard that failed; whether it did, and did not merely refuse."""
        if isinstance(error, Refuse):
            return False
        log.warning("%s; it counts as no while the possible events are listed", error, exc_info=error.__cause__)
        return True


class Combinations(NamedTuple):
    """Every payload that an event can have: the names of its parameters, what each may be, and the values together."""

    names: tuple[str, ...]
    choices: tuple[tuple[Any, ...], ...]
    values: tuple[tuple[Any, ...], ...]


def _combinations(payload: Payload) -> Combinations | None:
    """None if the values can't be listed, or make too many combinations."""
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


def _takes(arcs: tuple[Arc, ...]) -> bool:
    if len(arcs) == 1:
        return not arcs[0].forbids
    return any(not arc.forbids for arc in arcs)


def _no(event: str, arcs: tuple[Arc, ...], *, failed: bool) -> Verdict:
    return Verdict(event, False, "guard-rejected", failed=failed, arcs=tuple(arc.config for arc in arcs))
