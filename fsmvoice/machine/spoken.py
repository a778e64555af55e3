"""`spoken`: how an event is said, heard and shown, whichever of its transitions is taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Literal, cast

from typing_extensions import TypeVar

from fsmvoice.machine.misplaced import Misplaced, bare, misplaced
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
    """Decorate an event with its speech. Put it above the event's `@transition`s.

    Args:
        label: a verb phrase, as in "You can {label}." Defaults to the event's name as words.
        says: said after the event, before the new state's prompt. Slots are filled from the payload, then the context.
        utterances: templates of how people ask for it, such as `[please] (order|get me) [a] {drink}`.
        answers: whether "yes" or "no" means this event.
        confirm: a question that a tool call asks before the event is sent: "Cancel your {drink}?". Slots are filled
            from the payload, then the context before the event. A call in Python asks nothing.
        destructive: whether it removes something, so that hosts may ask first.
        irreversible: whether it can't be undone, so that a repeated call must not do it twice.
        working: said while it takes a long time.
        tool: False for events that are not for customers, such as those of staff or hardware.
        allow: rules of `fsmvoice check` to ignore for this event, each with the reason: `{"V13": "..."}`.
    """
    place = here()
    given: Any = label
    if is_transition(given) or isinstance(given, FunctionType):
        function: Any = given.function if is_transition(given) else given
        return cast("Any", bare("@spoken", function, '@spoken("order a drink")'))  # type: ignore[no-any-return]  # no decorator

    def decorate(event: Any) -> Any:
        if is_transition(event):
            utterance = (utterances,) if isinstance(utterances, str) else tuple(utterances)
            said = Spoken(place, label, says, utterance, answers, confirm, destructive, irreversible, working)
            return event.spoken_as(said._replace(tool=tool, allow=allow))
        return event if isinstance(event, Misplaced) else misplaced("@spoken", event, place)

    return decorate
