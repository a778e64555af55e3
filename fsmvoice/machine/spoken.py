"""`spoken`: how an event is said, heard and shown. It is the event's, on whichever of its arcs it is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from typing_extensions import TypeVar

from fsmvoice.machine.misplaced import Misplaced, misplaced
from fsmvoice.machine.place import here
from fsmvoice.machine.transitions import Spoken, Transition, is_transition

T = TypeVar("T", bound=Transition[..., Any])


def spoken(
    label: str | None = None,
    *,
    says: str | None = None,
    utterances: Sequence[str] = (),
    answers: Literal["yes", "no"] | None = None,
    confirm: str | None = None,
    destructive: bool = False,
    irreversible: bool = False,
    working: str | None = None,
    tool: bool = True,
    allow: Mapping[str, str] | None = None,
) -> Callable[[T], T]:
    """Say how an event is spoken. Stands above the event's `@transition`s.

    Args:
        label: what can be done, as a verb phrase: "You can {label}."; the event's name in words if not said.
        says: said when it was done, before the new state's prompt. Slots: the payload, then the context.
        utterances: how people ask for it: `[please] (order|get me) [a] {drink}`.
        answers: the event that "yes" or "no" means here.
        confirm: a question that a tool call asks before anything is done: "Cancel your {drink}?". Slots: the payload,
            then the context as it is before. A direct call acts at once.
        destructive: it takes something away; hosts may ask first.
        irreversible: it can't be undone, so a repeated call must not do it twice.
        working: said while it takes long.
        tool: False for what no customer says: a barista's READY, hardware.
        allow: rules of `fsmvoice check` that do not count for this event, each with the reason: `{"V13": "..."}`.
    """
    place = here()

    def decorate(event: Any) -> Any:
        if is_transition(event):
            utterance = (utterances,) if isinstance(utterances, str) else tuple(utterances)
            said = Spoken(place, label, says, utterance, answers, confirm, destructive, irreversible, working)
            return event.spoken_as(said._replace(tool=tool, allow=allow))
        return event if isinstance(event, Misplaced) else misplaced("@spoken", event, place)

    return decorate
