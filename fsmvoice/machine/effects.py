"""`effect`: work outside the machine, asked for in an action and done after the commit."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from types import FunctionType
from typing import Any, Concatenate, Generic, Self, cast, overload

from fsmvoice.errors import ReentrancyError
from fsmvoice.machine.misplaced import Misplaced, misplaced
from fsmvoice.machine.place import here
from fsmvoice.machine.running import C, M, P, Running, open_step_of


class Later(Generic[P]):
    """An effect on a running machine."""

    __slots__ = ("_machine", "_name")

    def __init__(self, machine: Running[Any], name: str) -> None:
        self._machine, self._name = machine, name

    def later(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """In an action: have the effect run after this step is committed, at least once; never if it is not.

        Its arguments are stored until it has run, so JSON must be able to hold them.

        Raises:
            ReentrancyError: outside a step of this machine.
            InvalidPayload: for arguments that do not fit.
            TypeError: for one that JSON can't hold.
        """
        step = open_step_of(self._machine)
        if step is None:
            raise ReentrancyError(
                f"the effect {self._name!r} can be asked for only inside a step of {type(self._machine).__name__}"
            )
        step.later(self._name, **self._arguments(args, kwargs))

    def _arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
        if not args:
            return kwargs
        function: Effect[P] = getattr(type(self._machine), self._name)
        given = inspect.signature(function.function).bind_partial(self._machine, *args, **kwargs).arguments
        return dict(list(given.items())[1:])


class Effect(Generic[P]):
    """A method that reaches outside. `self.receipt.later(to=...)` in an action asks for it."""

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
    """Make an async method an effect: it runs after the commit of the action that asked for it, at least once.

    An action asks for it with `self.mail.later(...)`. If it fails for good, the machine gets `error.effect.<name>`.
    """
    if isinstance(function, FunctionType):
        return Effect(function)
    found: Any = function if isinstance(function, Misplaced) else misplaced("@effect", function, here())
    return cast("Effect[P]", found)
