"""The declarations of states: `State`, `History`, and inner classes derived from `Compound` and `Parallel`."""

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
"""As a `source`: every state. A state's own transitions for the event are tried first."""


@dataclass(slots=True)
class StateInfo:
    """The declared properties of a state. `path` is set at its first declaration; a subclass may replace the object."""

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
    """A state. Its name is that of the attribute it is assigned to.

    Args:
        name: the name, if it is not an identifier: `State(name="in progress")`.
        initial: whether the machine (or the parent state) starts in it.
        final: whether the machine (or the parent state) is done in it.
        prompt: said on entering. Further texts of a list are said after consecutive failures. `{drink}` is a field of
            the payload or context; `{drink|your order}` has a fallback for None.
        tags: strings in `snapshot.tags` while the state is active.
        allow: rules of `fsmvoice check` to ignore in this state, each with the reason: `{"V05": "..."}`.
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

    if not TYPE_CHECKING:  # type checkers reject the keywords; at run time the machine's error says what to derive from

        def __init_subclass__(cls, **options: Any) -> None:
            super().__init_subclass__()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.info.path or self.info.name or self.info.place}>"


class History(State):
    """As a target: the children of its parent that were last active.

    Args:
        deep: remember all active descendants of the parent, not only its direct children.
        target: the state to enter the first time. Defaults to the parent's initial state.
    """

    deep: bool
    target: StateRef | None

    def __init__(self, *, deep: bool = False, target: StateRef | None = None) -> None:
        super().__init__()
        self.deep, self.target = deep, target


def _texts(prompt: str | Sequence[str]) -> tuple[str, ...]:
    return (prompt,) if isinstance(prompt, str) else tuple(prompt)


# Not an attribute of the classes, because any attribute name may be a state of the user's.
_infos: WeakKeyDictionary[type, StateInfo] = WeakKeyDictionary()


class CompoundType(type):
    """The type of `Compound`, whose class bodies detect names that are bound twice."""

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
    """A state with child states, written as an inner class: `class paying(Compound, initial=True): ...`."""

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
    """A state whose child states, usually `Compound`s, are all active at once."""


StateRef: TypeAlias = str | State | type[Compound]
"""A state: the object, the inner class, its dotted path, or its name if that is unambiguous."""

Source: TypeAlias = StateRef | Sequence[StateRef] | AnyState


def info_of(state: State | type[Compound]) -> StateInfo:
    """The declared properties of a state."""
    return state.info if isinstance(state, State) else _infos[state]


def is_unfit(value: object, owner: type) -> bool:
    """Whether `value` is a class in the body of `owner` that was meant to be a state, but is not a Compound.

    A subclass of State that `owner` has instances of is not meant to be a state.
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
