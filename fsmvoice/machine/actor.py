"""`create_fsm_actor`: a config and its functions, running."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import BaseModel

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock
from fsmvoice.errors import DefinitionError, NotSupported, Problem, did_you_mean
from fsmvoice.model.behaviour import Behaviour, Function, InState, StepCode, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.imported import Imported
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Payload
from fsmvoice.model.tree import Tree
from fsmvoice.voice.reply import make_speech

ConfigLike: TypeAlias = FsmConfig | Imported | Mapping[str, Any] | str | bytes
"""A config: parsed, from an importer, as a mapping, or as JSON text."""


def create_fsm_actor(
    config: ConfigLike,
    *,
    actions: Mapping[str, Function] | None = None,
    guards: Mapping[str, Function | InState] | None = None,
    services: Mapping[str, Function] | None = None,
    delays: Mapping[str, Any] | None = None,
    effects: Mapping[str, Function] | None = None,
    event_schemas: Mapping[str, type[BaseModel]] | None = None,
    clock: Clock | None = None,
) -> FsmActor[dict[str, Any]]:
    """Run a config. The actor is live from the start: its initial state is entered.

    Functions are called with those of `context, event, params, queue` that they name. An action returns the context
    fields it changes, or None, and may be async; a guard returns a bool.

    Args:
        config: an `FsmConfig`, what an importer made, a mapping, or JSON text.
        actions: the functions that `actions`, `entry` and `exit` name.
        guards: those that `guard` names.
        services: those that `invoke` names.
        delays: what the keys of `after` name: milliseconds, a timedelta, or a function that returns one of them.
        effects: work outside the machine, done after a commit; none can run yet.
        event_schemas: for an event, the pydantic model of what it carries; an event without one takes anything.
        clock: what timers go by; the system's clock by default.

    Raises:
        DefinitionError: with everything that is wrong: unknown names with their JSON path and the nearest known one,
            and functions that can't be called so.
        NotSupported: for effects.
    """
    chart = compile_config(
        config,
        actions=actions,
        guards=guards,
        services=services,
        delays=delays,
        effects=effects,
        event_schemas=event_schemas,
    )
    return FsmActor(chart, clock=clock)


def compile_config(
    config: ConfigLike,
    *,
    actions: Mapping[str, Function] | None = None,
    guards: Mapping[str, Function | InState] | None = None,
    services: Mapping[str, Function] | None = None,
    delays: Mapping[str, Any] | None = None,
    effects: Mapping[str, Function] | None = None,
    event_schemas: Mapping[str, type[BaseModel]] | None = None,
    locale: str | None = None,
) -> Chart:
    """A config and its functions, ready to run and to speak. Arguments and errors as for `create_fsm_actor`.

    Args:
        locale: the language of the framework's phrases; by default the config's own (`meta.locale`).
    """
    if effects:
        raise NotSupported(f"effects can't run yet: {', '.join(effects)}; do the work in an action, which may be async")
    brought = config if isinstance(config, Imported) else None
    parsed = parse_config(config if not isinstance(config, Imported) else config.config)
    problems: list[Problem] = []
    behaviour = Behaviour(
        actions=_codes({**(brought.actions if brought else {}), **(actions or {})}, "action", problems),
        guards=_codes({**(brought.guards if brought else {}), **(guards or {})}, "guard", problems),
        services=services or {},
        delays=delays or {},
        payloads=_payloads(event_schemas or {}, parsed, problems),
        speak=make_speech(locale or _locale(parsed)),
    )
    try:
        chart = compile_chart(parsed, behaviour)
    except DefinitionError as error:
        raise DefinitionError(error.subject, [*error.problems, *problems]) from None
    if problems:
        raise DefinitionError(f"machine {parsed.id!r}" if parsed.id else "the config", problems)
    return chart


def _codes(functions: Mapping[str, Any], role: str, problems: list[Problem]) -> dict[str, Any]:
    codes: dict[str, Any] = {}
    for name, function in functions.items():
        if isinstance(function, StepCode | InState):
            codes[name] = function
            continue
        try:
            codes[name] = named_code(name, function, role=role)
        except TypeError as error:
            problems.append(Problem(f"{role}s[{name!r}]", str(error)))
            codes[name] = StepCode(name, _nothing)
    return codes


def _nothing(*_: Any) -> None:
    """In place of a function that can't be called, so that its name is not reported as unknown too."""


def _payloads(schemas: Mapping[str, type[BaseModel]], config: FsmConfig, problems: list[Problem]) -> dict[str, Payload]:
    known = dict.fromkeys(event for node in Tree(config).nodes for event in node.config.on)
    wild = any(is_wildcard(event) for event in known)
    payloads: dict[str, Payload] = {}
    for event, model in schemas.items():
        where = f"event_schemas[{event!r}]"
        if event not in known and not wild:
            problems.append(Problem(where, "no transition has this event", did_you_mean(event, known)))
        if isinstance(model, type) and issubclass(model, BaseModel):  # pyright: ignore[reportUnnecessaryIsInstance] - a user's mapping holds anything
            payloads[event] = Payload.from_model(event, model)
        else:
            problems.append(Problem(where, f"is {type(model).__name__}", "give a pydantic model class"))
    return payloads


def _locale(config: FsmConfig) -> str | None:
    locale = (config.meta or {}).get("locale")
    return locale if isinstance(locale, str) else None
