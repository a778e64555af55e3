"""`why`: the transitions for an event in the order they are tried, and the result of each guard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.open_step import Nobody
from fsmvoice.engine.verdicts import Look
from fsmvoice.errors import ActionFailed, Refuse, message_of
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Arc
from fsmvoice.model.run_state import RunState

Answer: TypeAlias = Literal["taken", "forbids", "said no", "refused", "failed", "not asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One transition and its result. `detail` is the text of a guard's refusal or failure."""

    arc: Arc
    answer: Answer
    detail: str = ""


def why(chart: Chart, state: RunState, event: str, payload: Mapping[str, Any]) -> tuple[Asked, ...]:
    """The result of each transition for `event` in `state`, in the order they are tried. Only guards are called."""
    configuration = configuration_of(chart, state.leaves)
    place = chart.behaviour.place
    look = Look(configuration, state, Nobody() if place is None else place(state))
    answer: Answer = "said no"
    taken: tuple[Arc, ...] = ()
    detail = ""
    try:
        taken = look.choice(event, payload)
    except Refuse as refusal:
        answer, detail = "refused", refusal.say
    except ActionFailed as error:
        cause = error.__cause__ or error
        answer, detail = "failed", f"{type(cause).__name__}: {message_of(cause)}"
    last = look.rejected[-1] if look.rejected and answer != "said no" else None
    found: list[Asked] = []
    for arc in configuration.candidates(event).all() if state.status == "active" else ():
        if arc in taken:
            found.append(Asked(arc, "forbids" if arc.forbids else "taken"))
        elif arc is last:
            found.append(Asked(arc, answer, detail))
        else:
            found.append(Asked(arc, "said no" if arc in look.rejected else "not asked"))
    return tuple(found)
