"""`effect`: work outside the machine, requested in an action and run after the commit."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Self, cast, overload

from fsmvoice.errors import ReentrancyError
from fsmvoice.machine.misplaced import Misplaced, misplaced
from fsmvoice.machine.payload import arguments_by_name
from fsmvoice.machine.place import here
from fsmvoice.machine.running import C, M, P, Running, open_step_of


class Later(Generic[P]):
    """An effect bound to a machine."""

    __slots__ = ("_machine", "_name")

    def __init__(self, machine: Running[Any], name: str) -> None:
        self._machine, self._name = machine, name

    def later(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Request the effect in an action: it runs at least once after this step is committed, or never if it is not.

        Its arguments are stored until it has run, so they must be representable in JSON.

        Raises:
            ReentrancyError: outside a step of this machine.
            InvalidPayload: if the arguments do not match the method.
            TypeError: if an argument can't be represented in JSON.
        """
        step = open_step_of(self._machine)
        if step is None:
            raise ReentrancyError(
                f"the effect {self._name!r} can be requested only inside a step of {type(self._machine).__name__}"
            )
        effect: Effect[P] = getattr(type(self._machine), self._name)
        step.later(self._name, **arguments_by_name(effect.function, self._machine, args, kwargs))

    if not TYPE_CHECKING:  # checkers reject the call; at run time it explains

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            name, owner = self._name, type(self._machine).__name__
            told = f"{name!r} is an effect: self.{name}.later(...) in an action requests it for after the commit"
            raise TypeError(f"{told}; to call only its function, use {owner}.{name}.function(machine, ...)")


class Effect(Generic[P]):
    """A method that acts outside the machine. An action requests it with `self.receipt.later(to=...)`."""

    __fsmvoice__ = "an effect"
    __name__: str

    def __init__(self, function: Callable[Concatenate[Any, P], Awaitable[None]]) -> None:
        self.function = function
        functools.update_wrapper(cast("Any", self), function)

    @overload
    def __get__(self, obj: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, obj: Running[C], owner: type[Any]) -> Later[P]: ...
    def __get__(self, obj: Running[C] | None, owner: type[Any]) -> Self | Later[P]:
        return self if obj is None else Later(obj, self.__name__)


def effect(function: Callable[Concatenate[M, P], Awaitable[None]], /) -> Effect[P]:
    """Make an async method an effect, which runs at least once after the commit of the step that requested it.

    An action requests it with `self.mail.later(...)`. If it is given up, the machine gets `error.effect.<name>`.
    """
    if isinstance(function, FunctionType):
        return Effect(function)
    found: Any = function if isinstance(function, Misplaced) else misplaced("@effect", function, here())
    return cast("Effect[P]", found)
