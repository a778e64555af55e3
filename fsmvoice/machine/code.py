"""Adapting a class's methods to the engine: they are called with the machine as `self` and the payload as arguments."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from fsmvoice.errors import did_you_mean
from fsmvoice.machine.detached import Detached
from fsmvoice.model.behaviour import Step, StepCode, asked, refuse_result
from fsmvoice.model.effect import EffectCode
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.model.purity import only_looks
from fsmvoice.model.service import ServiceCall, ServiceCode

Method = Callable[..., Any]


def guard_code(name: str, method: Method, *, payload: bool, owners: Sequence[type[Any]]) -> StepCode:
    """The code of a guard: a method that takes the event's payload, or nothing.

    Args:
        owners: the classes of the machine and of its context.
    """
    call = _call(method, payload=payload)
    is_coroutine = inspect.iscoroutinefunction(method)
    if not only_looks(method, *owners):
        return StepCode(name, asked(call), is_coroutine)
    return StepCode(name, call, is_coroutine, on_machine=None if payload else method)


def action_code(name: str, method: Method, *, payload: bool) -> StepCode:
    """The code of a transition's method or a hook, which changes `self.context` and must return None."""
    call = _call(method, payload=payload)
    if inspect.iscoroutinefunction(method):

        async def act_later(step: Step, params: Mapping[str, Any] | None) -> None:
            result = await call(step, params)
            if result is not None:
                refuse_result(result)

        act_later.__name__ = name  # the name of its coroutine, for the message of Suspended
        return StepCode(name, act_later, is_async=True)

    # Inlined instead of using `call`, because most events run through here.
    def act(step: Step, params: Mapping[str, Any] | None) -> None:  # noqa: ARG001 - the signature of `StepCode.call`
        result = method(step.machine, **step.payload) if payload else method(step.machine)
        if result is not None:
            refuse_result(result)

    return StepCode(name, act, on_machine=None if payload else method)


def service_method(name: str, method: Method) -> ServiceCode:
    """The code of a service that is a method."""
    advice = "return the fields instead, or send an event"

    def call(given: ServiceCall) -> Any:
        machine = given.machine
        return Detached(machine, f"the service {name!r}", advice).run(lambda: method(machine))

    return ServiceCode(name, call, inspect.iscoroutinefunction(method))


def effect_method(name: str, method: Method, parameters: Sequence[Parameter]) -> EffectCode:
    """The code of an effect that is a method."""

    def call(machine: Any, arguments: Mapping[str, Any]) -> Awaitable[None]:
        run = Detached(machine, f"the effect {name!r}", "send an event instead")
        return cast("Awaitable[None]", run.run(lambda: method(machine, **arguments)))

    return EffectCode(name, call, Payload(name, parameters))


def applied(name: str, fields: Sequence[str] | None) -> StepCode:
    """An action that assigns a service's result, a mapping of context fields, to the context."""

    def call(step: Step, params: Mapping[str, Any] | None) -> Any:  # noqa: ARG001 - the signature of `StepCode.call`
        result = step.event.get("output")
        if result is None:
            return
        if not isinstance(result, Mapping):
            raise TypeError(f"{name} returned {type(result).__name__}; a service returns context fields, or nothing")
        context = step.context
        for field, value in cast("Mapping[str, Any]", result).items():
            if fields is not None and field not in fields:
                hint = did_you_mean(field, fields, otherwise="its fields are")
                raise TypeError(f"{name} returned {field!r}, which is not a field of the context; {hint}")
            if isinstance(context, dict):
                context[field] = value
            else:
                setattr(context, field, value)

    return StepCode(name, call)


def _call(method: Method, *, payload: bool) -> Callable[[Step, Mapping[str, Any] | None], Any]:
    if payload:
        return lambda step, params: method(step.machine, **step.payload)  # noqa: ARG005 - the signature of `StepCode.call`
    return lambda step, params: method(step.machine)  # noqa: ARG005 - the signature of `StepCode.call`


def is_async(method: object) -> bool:
    """Whether calling `method` returns a coroutine or an async generator."""
    return inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method)
