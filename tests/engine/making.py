"""Actors and charts for the tests of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.model.behaviour import Behaviour, InState, Speak, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.context import ContextType, DictContext
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Parameter, Payload

Config = Mapping[str, Any]
Functions = Mapping[str, Callable[..., Any]]
Actor = FsmActor[Any]


def chart_of(
    config: Config,
    *,
    actions: Functions | None = None,
    guards: Mapping[str, Callable[..., Any] | InState] | None = None,
    delays: Mapping[str, Any] | None = None,
    services: Functions | None = None,
    payloads: Mapping[str, Sequence[Parameter]] | None = None,
    context: ContextType | None = None,
    speak: Speak | None = None,
) -> Chart:
    """The chart of a config with plain functions."""
    return compile_chart(
        parse_config(config),
        Behaviour(
            actions={name: named_code(name, code) for name, code in (actions or {}).items()},
            guards={
                name: code if isinstance(code, InState) else named_code(name, code, role="guard")
                for name, code in (guards or {}).items()
            },
            delays=delays or {},
            services=services or {},
            payloads={name: Payload(name, parameters) for name, parameters in (payloads or {}).items()},
            context=context or DictContext(),
            speak=speak,
        ),
    )


def actor_of(config: Config, *, clock: SimulatedClock | None = None, **functions: Any) -> Actor:
    """A live actor of a config with plain functions."""
    return FsmActor[Any](chart_of(config, **functions), clock=clock)


class Log(list[str]):
    """Actions that write their own names down."""

    def actions(self, *names: str) -> dict[str, Callable[..., Any]]:
        return {name: self._action(name) for name in names}

    def _action(self, name: str) -> Callable[[], None]:
        return lambda: self.append(name)
