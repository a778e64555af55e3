"""Where a machine can stand, found from its definition alone: guards are taken to hold at times, and nothing runs."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from fsmvoice.engine.candidates import Candidates
from fsmvoice.engine.configuration import Configuration, Plan, configuration_of
from fsmvoice.engine.enter_exit import is_complete
from fsmvoice.engine.plan import plan_for, start_plan
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Arc, Node
from fsmvoice.model.run_state import History

MAX_STANDINGS = 2_000
"""Sets of active states that are looked at; one that holds a state that no other did is looked at beyond it too."""
MAX_MOVES = 30_000
MAX_CHOICES = 64
"""Ways in which the regions of a state may take one event together."""
_DONE = "xstate.done.state."

Key = tuple[tuple[int, ...], History]


class Move(NamedTuple):
    """A step that can be taken: from where, on which event ('' for an `always`), and what it does."""

    before: Configuration | None
    event: str
    plan: Plan
    start: Key | None
    end: Key | None


class Ways:
    """Every set of states that can be active together, as far as there are not too many.

    Attributes:
        moves: the steps between them, the start first.
        standings: those in which the machine waits for something, each once.
        resting: the keys of those, one for each history that they can have.
        complete: whether these are all; else there were too many to look at.
    """

    moves: Sequence[Move]
    standings: Sequence[Configuration]
    resting: frozenset[Key]
    complete: bool

    def __init__(self, chart: Chart) -> None:
        self.complete = True
        first = start_plan(chart)
        origin = None if first.completes else (first.to.leaves, first.history)
        moves = [Move(None, "", first, None, origin)]
        seen: set[Key] = set()
        leaves: set[int] = set()
        waiting: deque[Key] = deque()
        # A set with a state that was in none before goes first, so that those that are left out hold nothing new.
        fresh: deque[Key] = deque()
        resting: dict[Key, Configuration] = {}

        def found(key: Key) -> None:
            is_fresh = not leaves.issuperset(key[0])
            if not is_fresh and len(seen) >= MAX_STANDINGS:
                self.complete = False
                return
            seen.add(key)
            leaves.update(key[0])
            (fresh if is_fresh else waiting).append(key)

        if origin is not None:
            found(origin)
        while fresh or (waiting and len(moves) < MAX_MOVES):
            key = (fresh or waiting).popleft()
            here = configuration_of(chart, key[0])
            driven, stays = _driven(here)
            if stays:
                resting[key] = here
            if _is_cut(here):
                self.complete = False
            for event, arcs in (*driven, *_taken(here)) if stays else driven:
                plan = plan_for(here, arcs, key[1])
                end = None if plan.completes else (plan.to.leaves, plan.history)
                moves.append(Move(here, event, plan, key, end))
                if end is not None and end not in seen:
                    found(end)
        self.complete = self.complete and not waiting
        self.moves = moves
        self.standings = list({here.leaves: here for here in resting.values()}.values())
        self.resting = frozenset(resting)

    def active(self) -> set[Node]:
        """Every state that is in one of the sets."""
        return {node for move in self.moves for node in (*move.plan.to.nodes, *move.plan.entered)}

    def rounds(self) -> Iterator[list[Node]]:
        """The innermost states that the machine goes round by itself for ever, whatever guards say; each round once."""
        ends: dict[Key, list[Key | None]] = {}
        for move in self.moves:
            if move.start is not None:
                ends.setdefault(move.start, []).append(move.end)
        calm: set[Key | None] = {None, *self.resting}
        calm.update(end for some in ends.values() for end in some if end not in ends)  # not looked at
        before: dict[Key | None, list[Key]] = {}
        for start, some in ends.items():
            for end in some:
                before.setdefault(end, []).append(start)
        waiting = list(calm)
        while waiting:
            for start in before.get(waiting.pop(), ()):
                if start not in calm:
                    calm.add(start)
                    waiting.append(start)
        chart = self.moves[0].plan.to.chart
        told: set[Key] = set()
        for key in (key for key in ends if key not in calm):
            way: list[Key] = []
            here: Key | None = key
            while here is not None and here not in way and here not in told:
                way.append(here)
                here = ends[here][0]
            if here is not None and here not in told:
                yield [chart.nodes[leaf] for turn in way[way.index(here) :] for leaf in turn[0]]
            told.update(way)


def _driven(here: Configuration) -> tuple[list[tuple[str, tuple[Arc, ...]]], bool]:
    """The steps that the machine takes by itself at once, and whether it may stay instead."""
    chains = [list(_of_chain(chain)) for chain in here.eventless]
    found: dict[tuple[str, tuple[Arc, ...]], None] = {}
    stays = all(() in chain for chain in chains)
    for together in islice(product(*chains), MAX_CHOICES) if chains else ():
        arcs = tuple(dict.fromkeys(arc for chosen in together for arc in chosen))
        if arcs and plan_for(here, arcs, ()).inert:
            stays = True  # an `always` that leads nowhere lets the machine rest
        elif arcs:
            found["", arcs] = None
    for event in _internal(here):
        choices = choices_of(here.candidates(event))
        found.update(dict.fromkeys((event, arcs) for arcs in choices if arcs))
        stays = stays and () in choices
    return list(found), stays


def _of_chain(chain: Sequence[Arc]) -> Iterator[tuple[Arc, ...]]:
    for arc in chain:
        yield (arc,)
        if arc.guard is None:
            return
    yield ()


def _internal(here: Configuration) -> list[str]:
    """The done events of the states that are complete: they come at once."""
    return [
        node.done_event
        for node in here.nodes
        if node.done_event in node.on and node.kind in ("compound", "parallel") and is_complete(node, here.nodes)
    ]


def _taken(here: Configuration) -> Iterator[tuple[str, tuple[Arc, ...]]]:
    """What events, timers and services may set off."""
    named = dict.fromkeys(event for node in here.nodes for event in node.on if not event.startswith(_DONE))
    for event in named:
        for arcs in choices_of(here.candidates(event)):
            if arcs and not all(arc.forbids for arc in arcs):
                yield event, arcs


def _is_cut(here: Configuration) -> bool:
    """Whether an event, or the machine by itself, may go on in more ways than are looked at."""
    if math.prod(len(chain) + 1 for chain in here.eventless) > MAX_CHOICES:
        return True
    events = dict.fromkeys(event for node in here.nodes for event in node.on)
    return any(_count(here.candidates(event)) > MAX_CHOICES for event in events)


def _count(candidates: Candidates) -> int:
    """In how many ways an event may be taken, its not being taken among them."""
    return math.prod(_count(region) for region in candidates.regions) + len(candidates.arcs)


def choices_of(candidates: Candidates) -> list[tuple[Arc, ...]]:
    """The arcs that may take an event, for all that guards may answer; () where they may all say no."""
    found: dict[tuple[Arc, ...], None] = {}
    own: list[tuple[Arc, ...]] = []
    for arc in candidates.arcs:
        own.append((arc,))
        if arc.guard is None:
            break
    else:
        own.append(())
    if not candidates.regions:
        return own
    inner = [choices_of(region) for region in candidates.regions]
    for together in islice(product(*inner), MAX_CHOICES):
        arcs = tuple(arc for chosen in together for arc in chosen)
        if arcs:
            found[arcs] = None
    if all(() in choices for choices in inner):
        found.update(dict.fromkeys(own))
    return list(found)


def always_taken(candidates: Candidates) -> bool:
    """Whether an event is taken whatever guards say, and not only to forbid it."""
    choices = choices_of(candidates)
    return bool(choices) and all(any(not arc.forbids for arc in arcs) for arcs in choices)
