"""`transition`: makes a method an event, with its transitions between states."""

from __future__ import annotations

import copy
import functools
from collections.abc import Awaitable, Callable, Mapping
from types import CodeType, FunctionType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
    TypeGuard,
    cast,
    overload,
)

from typing_extensions import TypeVar

from fsmvoice.errors import Problem
from fsmvoice.machine.fire import Fire
from fsmvoice.machine.misplaced import Misplaced, bare, misplaced
from fsmvoice.machine.place import Place, here
from fsmvoice.machine.running import C, M, P, Running
from fsmvoice.machine.states import Source, StateRef

R = TypeVar("R", bound="Awaitable[None] | None")
R_co = TypeVar("R_co", covariant=True)
GuardRef: TypeAlias = str | Callable[..., bool] | None
"""A guard: the method itself, or its name."""


class Arc(NamedTuple):
    """The arguments of one `@transition`."""

    event: str
    source: Source
    target: StateRef | None
    guard: GuardRef
    reenter: bool
    place: Place


class Spoken(NamedTuple):
    """The arguments of an event's `@spoken`."""

    place: Place
    label: str | None = None
    says: str | None = None
    utterances: tuple[str, ...] = ()
    answers: str | None = None
    confirm: str | None = None
    destructive: bool = False
    irreversible: bool = False
    working: str | None = None
    tool: bool = True
    allow: Mapping[str, str] | None = None


class Transition(Generic[P, R_co]):
    """An event of a machine class. On an instance it is a `Fire`: `await m.order(...)`.

    `arcs` are tried in order.
    """

    __fsmvoice__ = "an event"

    function: Callable[Concatenate[Any, P], R_co]
    arcs: tuple[Arc, ...]
    event: str
    __code__: CodeType
    __defaults__: tuple[Any, ...] | None
    __kwdefaults__: dict[str, Any] | None
    __name__: str
    spoken: Spoken | None = None

    def __init__(self, function: Callable[Concatenate[Any, P], R_co], arcs: tuple[Arc, ...]) -> None:
        self.function, self.arcs, self.event = function, arcs, arcs[0].event
        functools.update_wrapper(cast("Any", self), function)
        if isinstance(function, FunctionType):
            # inspect recognizes a function by these attributes, so that an async one counts as a coroutine function.
            self.__code__ = function.__code__
            self.__defaults__ = function.__defaults__
            self.__kwdefaults__ = function.__kwdefaults__

    def body(self, machine: Running[Any], /, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function itself, without sending the event. Use it in an override to call the base's function."""
        return self.function(machine, *args, **kwargs)

    def spoken_as(self, spoken: Spoken) -> Self:
        """A copy with this speech. The original may belong to a base class, so it is not changed."""
        twin = copy.copy(self)
        twin.spoken = spoken
        return twin

    def with_arc(self, arc: Arc) -> Self:
        """A copy with one more arc, which is tried first."""
        twin = copy.copy(self)
        twin.arcs, twin.event = (arc, *self.arcs), arc.event
        return twin

    @overload
    def __get__(self, obj: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, obj: Running[C], owner: type[Any]) -> Fire[P, C]: ...
    def __get__(self, obj: Running[C] | None, owner: type[Any]) -> Self | Fire[P, C]:
        return self if obj is None else Fire(obj, self.event, self.function)

    def __repr__(self) -> str:
        return f"<transition {self.event} at {self.arcs[0].place}>"

    if not TYPE_CHECKING:  # type checkers reject the call; at run time it explains why

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            raise TypeError(
                f"{self.__qualname__} is the event {self.event}: send it on a machine with "
                f"`await machine.{self.__name__}(...)` or `machine.{self.__name__}.sync(...)`, "
                f"or call only its function with {self.__qualname__}.body(machine, ...)"
            )


def is_transition(value: object) -> TypeGuard[Transition[..., Any]]:
    """Whether `value` is a `Transition`; `isinstance` alone would leave its type parameters unknown."""
    return isinstance(value, Transition)


class Decorate(Protocol):
    """A decorator of a transition without a guard, or with a guard that takes no arguments."""

    @overload
    def __call__(self, function: Transition[P, R], /) -> Transition[P, R]: ...
    @overload
    def __call__(self, function: Callable[Concatenate[M, P], R], /) -> Transition[P, R]: ...


class DecorateLike(Protocol[P]):
    """A decorator of a transition whose guard takes the payload, so that the method has to take the same."""

    @overload
    def __call__(self, function: Transition[P, R], /) -> Transition[P, R]: ...
    @overload
    def __call__(self, function: Callable[Concatenate[M, P], R], /) -> Transition[P, R]: ...


@overload
def transition(
    event: str = ..., *, source: Source, target: StateRef | None = None, guard: str | None = None, reenter: bool = False
) -> Decorate: ...
@overload
def transition(
    event: str = ...,
    *,
    source: Source,
    target: StateRef | None = None,
    guard: Callable[[M], bool],
    reenter: bool = False,
) -> Decorate: ...
@overload
def transition(
    event: str = ...,
    *,
    source: Source,
    target: StateRef | None = None,
    guard: Callable[Concatenate[M, P], bool],
    reenter: bool = False,
) -> DecorateLike[P]: ...
def transition(
    event: str = "",
    *,
    source: Source = (),
    target: StateRef | None = None,
    guard: GuardRef = None,
    reenter: bool = False,
) -> Any:
    """Make a method the action of an event that leads from `source` to `target`.

    The method's parameters are the event's payload, and its docstring is the tool's description. It changes
    `self.context` and returns None. If it raises, nothing has happened. Of stacked decorators, the top one is tried
    first.

    Args:
        event: the event's name. Defaults to the method's name in capitals.
        source: a state, several states, or `ANY`.
        target: the state to go to. Without one, the state does not change.
        guard: a method that has to return True. It takes no arguments, or exactly the event's parameters.
        reenter: exit and re-enter the source if the target is the source itself or inside it.
    """
    place = here()
    given: Any = event
    if isinstance(given, FunctionType):
        return bare("@transition", given, '@transition("ORDER", source=..., target=...)')
    problem = None if isinstance(given, str) else Problem(str(place), f"an event's name is a text, not {given!r:.60}")
    event = str.__str__(event) if problem is None else ""  # of an enum of texts, the text

    def decorate(function: Any) -> Any:
        if isinstance(function, Misplaced):
            return function
        if problem is not None:
            return Misplaced(problem)
        if is_transition(function):
            return function.with_arc(Arc(event or function.event, source, target, guard, reenter, place))
        if not isinstance(function, FunctionType):
            return misplaced("@transition", function, place)
        return Transition(function, (Arc(event or function.__name__.upper(), source, target, guard, reenter, place),))

    return decorate
