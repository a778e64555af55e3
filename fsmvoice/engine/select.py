"""Which arcs take an event: candidates worked out from the tree, and the guards that choose among them."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from fsmvoice.engine.open_step import OpenStep
from fsmvoice.errors import ActionFailed, Refuse
from fsmvoice.model.nodes import Arc, Call, Node


class Candidates(NamedTuple):
    """Regions are asked first, each for itself; if none takes the event, the first of `arcs` whose guard holds does."""

    arcs: tuple[Arc, ...]
    regions: tuple[Candidates, ...] = ()

    def all(self) -> tuple[Arc, ...]:
        """Every arc in it, in the order they are asked."""
        inner = tuple(arc for region in self.regions for arc in region.all())
        return inner + self.arcs


def candidates_for(node: Node, members: Set[int], event: str) -> Candidates | None:
    """What may take `event` at `node` and below it.

    As in XState, once a region of a parallel state took an event, the state's ancestors are not asked
    (SCXML asks them once for each region).
    """
    own = node.arcs_for(event)
    active = [child for child in node.children if child.index in members]
    if node.kind == "compound" and active and active[0].is_leaf:
        active = active[:1]
    found = [below for child in active if (below := candidates_for(child, members, event)) is not None]
    if not found:
        return Candidates(own) if own else None
    if len(found) == 1:
        return Candidates(found[0].arcs + own, found[0].regions)
    return Candidates(own, tuple(found))


def eventless_candidates(nodes: Iterable[Node]) -> tuple[tuple[Arc, ...], ...]:
    """For each active leaf that has any: the `always` arcs of it and its ancestors, inner ones first."""
    chains: list[tuple[Arc, ...]] = []
    for node in nodes:
        if node.is_leaf:
            chain = tuple(arc for holder in (node, *node.up_to(None)) for arc in holder.always)
            if chain:
                chains.append(chain)
    return tuple(chains)


def choose(step: OpenStep, candidates: Candidates) -> tuple[Arc, ...]:
    """The arcs that take the event now. Those whose guards say no are noted in `step.rejected`.

    Raises:
        ActionFailed: if a guard raises: it decides, so it may neither be "no" nor "yes".
    """
    if candidates.regions:
        taken = tuple(arc for region in candidates.regions for arc in choose(step, region))
        if taken:
            return taken
    for arc in candidates.arcs:
        if arc.guard is None or holds(step, arc):
            return (arc,)
        step.rejected.append(arc)
    return ()


def choose_eventless(step: OpenStep, chains: tuple[tuple[Arc, ...], ...]) -> tuple[Arc, ...]:
    """The `always` arcs that are enabled now, one for each leaf at most, each once."""
    taken: dict[Arc, None] = {}
    for chain in chains:
        for arc in chain:
            if arc.guard is None or holds(step, arc):
                taken[arc] = None
                break
    return tuple(taken)


def holds(step: OpenStep, arc: Arc) -> bool:
    """Whether the arc's guard says yes."""
    guard = arc.guard
    if type(guard) is Call:
        try:
            return bool(guard.call(step, guard.params))
        except Refuse:
            raise
        except Exception as error:
            event = f"event {step.type!r}" if arc.event else f"an eventless arc after {step.type!r}"
            raise ActionFailed(
                f"the guard {guard.name!r} raised {type(error).__name__} while deciding {event} "
                f"in state {str(arc.source)!r}: {error}",
                name=guard.name,
                event=step.type,
                state=arc.source.path,
            ) from error
    return guard is None or guard.node.index in step.members  # type: ignore[union-attr]  # mypy can't narrow by `type() is`
