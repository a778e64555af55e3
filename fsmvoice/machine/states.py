"""States as a class body declares them: `State`, `History`, and inner classes of `Compound` and `Parallel`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final
from weakref import WeakKeyDictionary

from fsmvoice.errors import Problem
from fsmvoice.machine.body import Body
from fsmvoice.machine.place import Place, here


@final
class AnyState:
    """The type of `ANY`."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Final = AnyState()
"""As a `source`: in every state. A state's own transitions for the event are tried first."""


@dataclass(slots=True)
class StateInfo:
    """What was said of a state. `path` is where it was first declared, so that a subclass may replace the object."""

    place: Place
    initial: bool = False
    final: bool = False
    prompt: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    name: str | None = None
    path: str = ""
    problems: tuple[Problem, ...] = ()
    allow: Mapping[str, str] | None = None


class State:
    """A state; the attribute it is assigned to names it.

    Args:
        name: its name where Python can't spell it: `State(name="in progress")`.
        initial: the machine (or its parent) starts here.
        final: nothing more happens here.
        prompt: what is said on entering; of a list, the later texts are said when a turn has to be repeated.
            `{drink}` says a field of the context, `{drink|your order}` gives what to say where it is None.
        tags: words that `snapshot.tags` holds while the state is active.
        allow: rules of `fsmvoice check` that do not count in this state, each with the reason: `{"V05": "..."}`.
    """

    __fsmvoice__ = "a state"

    info: StateInfo

    def __init__(
        self,
        *,
        name: str | None = None,
        initial: bool = False,
        final: bool = False,
        prompt: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        allow: Mapping[str, str] | None = None,
    ) -> None:
        self.info = StateInfo(here(), initial, final, _texts(prompt), tuple(tags), name, allow=allow)

    if not TYPE_CHECKING:  # checkers refuse the keywords; at run time the machine tells what to derive from

        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.info.path or self.info.name or self.info.place}>"


class History(State):
    """As a target: the children of its parent that were active last.

    Args:
        deep: all that was active below the parent, not only its direct children.
        target: where to go the first time; the parent's initial state if not said.
    """

    deep: bool
    target: StateRef | None

    def __init__(self, *, deep: bool = False, target: StateRef | None = None) -> None:
        super().__init__()
        self.deep, self.target = deep, target


def _texts(prompt: str | Sequence[str]) -> tuple[str, ...]:
    return (prompt,) if isinstance(prompt, str) else tuple(prompt)


# A table beside the classes and not attributes on them: any attribute's name may be a user's state.
_infos: WeakKeyDictionary[type, StateInfo] = WeakKeyDictionary()


class CompoundType(type):
    """The type of `Compound`: its class bodies notice names used twice."""

    __fsmvoice__ = "a state"

    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **options: Any) -> Body:
        return Body()

    def __new__(mcs, name: str, bases: tuple[type, ...], body: Mapping[str, Any], /, **options: Any) -> CompoundType:
        cls = super().__new__(mcs, name, bases, body.attributes() if isinstance(body, Body) else dict(body), **options)
        if isinstance(body, Body) and cls in _infos:
            _infos[cls].problems = tuple(body.problems)
        return cls


class Compound(metaclass=CompoundType):
    """A state with states of its own, written as an inner class: `class paying(Compound, initial=True): ...`."""

    def __init_subclass__(
        cls,
        *,
        initial: bool = False,
        prompt: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        allow: Mapping[str, str] | None = None,
    ) -> None:
        _infos[cls] = StateInfo(here(), initial, False, _texts(prompt), tuple(tags), allow=allow)


class Parallel(Compound):
    """A state whose states are all active at once; give it `Compound`s."""


StateRef: TypeAlias = str | State | type[Compound]
"""A state: the object, the inner class, or its name (dotted path, or the last part of it where only one has it)."""

Source: TypeAlias = StateRef | Sequence[StateRef] | AnyState


def info_of(state: State | type[Compound]) -> StateInfo:
    """What was said of a state."""
    return state.info if isinstance(state, State) else _infos[state]


def is_unfit(value: object, owner: type) -> bool:
    """Whether `value` is a class in the body of `owner` that was meant as a state and is none: not a Compound.

    One that is a kind of states of its own, of which `owner` has some, is not meant as a state.
    """
    if not isinstance(value, type):
        return False
    kind = cast("type[Any]", value)
    if issubclass(kind, Compound) or kind.__qualname__ != f"{owner.__qualname__}.{kind.__name__}":
        return False
    if issubclass(kind, State):
        return not any(type(other) is kind for other in vars(owner).values())
    return any(isinstance(inner, State) or is_compound(inner) for inner in vars(kind).values())


def is_compound(value: object) -> bool:
    """Whether `value` is an inner class that declares a state."""
    return isinstance(value, type) and issubclass(value, Compound)
