"""Definition checks across a whole machine: forbids without effect, ambiguous answers, and clashing tool names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.machine.edges import Edge
from fsmvoice.machine.guards import Forbidden
from fsmvoice.machine.place import Place
from fsmvoice.machine.state_tree import StateNode
from fsmvoice.machine.transitions import Spoken
from fsmvoice.model.naming import tool_names


def check_unreached(edges: Sequence[Edge]) -> list[Problem]:
    """Report forbids that are never reached, because an earlier transition of the same state has no guard."""
    always = {(edge.source, edge.event): edge for edge in edges if not edge.guarded and not edge.forbids}
    problems: list[Problem] = []
    for edge in edges:
        before = always.get((edge.source, edge.event)) if edge.forbids else None
        if before is not None:
            message = f"forbid: {edge.event} has a transition without a guard in {edge.source.path!r}"
            hint = f"give it a guard (line {before.place.line}), or leave the forbid out"
            problems.append(Problem(str(edge.place), message, hint))
    return problems


def check_forbidden(forbidden: Iterable[Forbidden], events: Collection[str]) -> list[Problem]:
    """Report forbids of events that no transition has."""
    return [
        Problem(
            str(item.place), f"forbid: no transition has the event {item.event!r}", did_you_mean(item.event, events)
        )
        for item in forbidden
        if item.event not in events
    ]


def check_tool_names(
    machine_id: str | None, events: Mapping[str, Place], spoken: Mapping[str, Spoken]
) -> list[Problem]:
    """Report events that have the same tool name as another event or as one of the bridge's own tools."""
    tools = [event for event in events if event not in spoken or spoken[event].tool]
    names = {f"event {event!r}": event for event in tools}
    return [
        Problem(str(events[names[problem.where]]), f"the {problem.where} {problem.message}", problem.hint)
        for problem in tool_names(machine_id, tools)[1]
    ]


def check_answers(edges: Sequence[Edge], spoken: Mapping[str, Spoken]) -> list[Problem]:
    """Report pairs of events that both answer "yes" (or "no") in the same state."""
    problems: list[Problem] = []
    told: set[tuple[str, str]] = set()
    answering = [edge for edge in edges if not edge.forbids and edge.event in spoken and spoken[edge.event].answers]
    for one, other in combinations(answering, 2):
        answer = spoken[one.event].answers
        pair = (min(one.event, other.event), max(one.event, other.event))
        if one.event == other.event or answer != spoken[other.event].answers or pair in told:
            continue
        where = _together(one, other, edges)
        if where is not None:
            told.add(pair)
            message = f"{one.event} and {other.event} both answer {answer!r} in {where.path or 'every state'!r}"
            problems.append(Problem(str(spoken[other.event].place), message, "leave answers= out of one of them"))
    return problems


def _together(one: Edge, other: Edge, edges: Sequence[Edge]) -> StateNode | None:
    """A state in which both arcs may be offered, if there is one."""
    upper, lower = one, other
    if one.source in (other.source, *other.source.ancestors):
        pass
    elif other.source in one.source.ancestors:
        upper, lower = other, one
    else:
        theirs = list(other.source.ancestors)
        common = next(node for node in one.source.ancestors if node in theirs)
        return common if common.kind == "parallel" else None
    # A state in between may forbid the event of the upper state, which is then not offered here.
    between = [lower.source, *lower.source.ancestors]
    between = between[: between.index(upper.source)]
    closed = any(edge.forbids and edge.event == upper.event and edge.source in between for edge in edges)
    return None if closed else lower.source
