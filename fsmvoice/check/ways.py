"""Finds the sets of states that can be active, from the definition alone. Guards may say anything; nothing runs."""

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
"""Sets of active states that are examined. Beyond that, only sets with a new state are."""
MAX_MOVES = 30_000
"""Steps between them that are examined."""
MAX_CHOICES = 64
"""Ways in which the regions of a state may take one event together that are examined."""
_DONE = "xstate.done.state."

Key = tuple[tuple[int, ...], History]


class Move(NamedTuple):
    """A step that can be taken: its start, its event ('' for an `always`), its plan and its end."""

    before: Configuration | None
    event: str
    plan: Plan
    start: Key | None
    end: Key | None


class Ways:
    """The sets of states that can be active together.

    Attributes:
        moves: the steps between them, the start first.
        standings: the sets in which the machine waits for an event, each once.
        resting: the keys of these, one for each history that they can have.
        complete: whether all sets were examined. If not, there were too many.
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
        # Sets with a new state go first, so that those that are left out contain no unseen state.
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
        """The endless loops without events, whatever guards say: the innermost states of each, once."""
        ends: dict[Key, list[Key | None]] = {}
        for move in self.moves:
            if move.start is not None:
                ends.setdefault(move.start, []).append(move.end)
        calm: set[Key | None] = {None, *self.resting}
        calm.update(end for some in ends.values() for end in some if end not in ends)  # not examined
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
    """The steps that the machine takes without an event, and whether it may stay instead."""
    chains = [list(_of_chain(chain)) for chain in here.eventless]
    found: dict[tuple[str, tuple[Arc, ...]], None] = {}
    stays = all(() in chain for chain in chains)
    for together in islice(product(*chains), MAX_CHOICES) if chains else ():
        arcs = tuple(dict.fromkeys(arc for chosen in together for arc in chosen))
        if arcs and plan_for(here, arcs, ()).inert:
            stays = True  # an `always` that does nothing lets the machine rest
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
    """The done events of the complete states, which are raised at once."""
    return [
        node.done_event
        for node in here.nodes
        if node.done_event in node.on and node.kind in ("compound", "parallel") and is_complete(node, here.nodes)
    ]


def _taken(here: Configuration) -> Iterator[tuple[str, tuple[Arc, ...]]]:
    """The steps that events, timers and services may trigger."""
    named = dict.fromkeys(event for node in here.nodes for event in node.on if not event.startswith(_DONE))
    for event in named:
        for arcs in choices_of(here.candidates(event)):
            if arcs and not all(arc.forbids for arc in arcs):
                yield event, arcs


def _is_cut(here: Configuration) -> bool:
    """Whether there are more steps for an event, or without one, than are examined."""
    if math.prod(len(chain) + 1 for chain in here.eventless) > MAX_CHOICES:
        return True
    events = dict.fromkeys(event for node in here.nodes for event in node.on)
    return any(_count(here.candidates(event)) > MAX_CHOICES for event in events)


def _count(candidates: Candidates) -> int:
    """The number of ways in which an event may be taken, including not at all."""
    return math.prod(_count(region) for region in candidates.regions) + len(candidates.arcs)


def choices_of(candidates: Candidates) -> list[tuple[Arc, ...]]:
    """The combinations of arcs that may take an event, for all answers of guards. () if all may say no."""
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
    """Whether an event is always taken, whatever guards say, and not only forbidden."""
    choices = choices_of(candidates)
    return bool(choices) and all(any(not arc.forbids for arc in arcs) for arcs in choices)
