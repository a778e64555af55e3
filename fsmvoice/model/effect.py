"""Effects: the functions behind their names, the request that an action makes for one, and the call itself."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from pydantic_core import to_jsonable_python

from fsmvoice.model.payload import Payload
from fsmvoice.model.signature import returns_coroutine

CALL_KEY: ContextVar[str] = ContextVar("fsmvoice_call_key")
"""The idempotency key of the service or effect that is running: unique, and unchanged when it is repeated."""

ERROR = "error.effect."
"""Prefix of the event raised when an effect is given up; the effect's name follows."""


class Wanted(NamedTuple):
    """A request for an effect. `arguments` is the text of a JSON object."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class EffectCode:
    """An effect made callable. `payload` checks the arguments of a class's method; a config's effect takes any JSON."""

    name: str
    call: Callable[[Any, Mapping[str, Any]], Awaitable[None]]
    payload: Payload | None = None

    def wanted(self, arguments: Mapping[str, Any]) -> Wanted:
        """The request for this effect, with its arguments as JSON.

        Raises:
            InvalidPayload: if the arguments don't fit the method.
            TypeError: if one can't be represented in JSON.
        """
        checked = arguments if self.payload is None else self.payload.validate(arguments)
        text: dict[str, Any] = {}
        for name, value in checked.items():
            try:
                text[name] = to_jsonable_python(value, inf_nan_mode="strings")
                json.dumps(text[name], allow_nan=False)
            except Exception as error:
                raise TypeError(
                    f"the argument {name!r} of the effect {self.name!r} is {type(value).__name__}, which JSON can't "
                    "hold; effects are stored until they are done, so pass strings, numbers, lists or models"
                ) from error
        return Wanted(self.name, json.dumps(text, ensure_ascii=False, separators=(",", ":")))

    def run(self, machine: Any, arguments: str) -> Awaitable[None]:
        """Call the effect with the arguments of a request that `wanted` made."""
        values = cast("Mapping[str, Any]", json.loads(arguments))
        return self.call(machine, values if self.payload is None else self.payload.validate(values))


def effect_code(name: str, function: Any) -> EffectCode:
    """Make a config's effect callable. It is passed its arguments by name, and `idempotency_key` if it takes that.

    Raises:
        TypeError: if it is not an async function.
    """
    if isinstance(function, EffectCode):
        return function
    if not callable(function):
        raise TypeError(f"is {type(function).__name__}; it should be an async function")
    if not returns_coroutine(function):
        raise TypeError("is not async; an effect reaches outside, so write async def")
    keyed = "idempotency_key" in inspect.signature(function).parameters

    def call(_machine: Any, arguments: Mapping[str, Any]) -> Awaitable[None]:
        given = {**arguments, "idempotency_key": CALL_KEY.get()} if keyed else arguments
        return cast("Awaitable[None]", function(**given))

    return EffectCode(name, call)
