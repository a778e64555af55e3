"""`create_fsm_actor`: run a config with its functions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, cast

from pydantic import BaseModel

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock
from fsmvoice.errors import DefinitionError, DefinitionWarning, Problem, did_you_mean
from fsmvoice.machine.keywords import doubt_locale
from fsmvoice.machine.place import here
from fsmvoice.machine.running import Running
from fsmvoice.machine.unfilled import unfilled_slots, unspoken_formats
from fsmvoice.model.behaviour import Behaviour, Function, InState, StepCode, named_code
from fsmvoice.model.chart import Chart, compile_chart, milliseconds
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.effect import EffectCode, effect_code
from fsmvoice.model.imported import Imported
from fsmvoice.model.locale_files import LocaleFiles, LocaleFolder
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Payload
from fsmvoice.model.tree import Tree
from fsmvoice.model.versions import Migration
from fsmvoice.voice.authored import own_locale
from fsmvoice.voice.reply import make_speech

ConfigLike: TypeAlias = FsmConfig | Imported | Mapping[str, Any] | str | bytes
"""A config as an `FsmConfig`, an importer's result, a mapping, or JSON text."""


def create_fsm_actor(
    config: ConfigLike,
    *,
    actions: Mapping[str, Function] | None = None,
    guards: Mapping[str, Function | InState] | None = None,
    services: Mapping[str, Function] | None = None,
    delays: Mapping[str, Any] | None = None,
    effects: Mapping[str, Function] | None = None,
    event_schemas: Mapping[str, type[Any]] | None = None,
    locales: str | Path | None = None,
    clock: Clock | None = None,
) -> FsmActor[dict[str, Any]]:
    """Run a config. Creating the actor enters the initial state.

    Functions are passed those of `context, event, params, queue, later, idempotency_key` that they have parameters for.
    An action returns the context fields to change, or None, and may be async; a guard returns a bool.

    Args:
        config: an `FsmConfig`, the result of an importer, a mapping, or JSON text.
        actions: the functions named in `actions`, `entry` and `exit`.
        guards: the functions named in `guard`.
        services: the functions named in `invoke`.
        delays: for the names in `after`: milliseconds, a timedelta, or a function that returns one of them.
        effects: async functions that act outside the machine after a step is committed. An action requests one with
            its argument `later`: `later("receipt", to="a@example.com")`.
        event_schemas: for each event, the pydantic model of its payload. An event without one takes any payload.
        locales: the folder with texts in other languages. Defaults to `locales` beside a file read by `load`.
        clock: the time source of timers. Defaults to the system clock.

    Raises:
        DefinitionError: listing everything that is wrong: unknown names, with JSON path and the nearest known name,
            and functions with unsuitable parameters.
    """
    chart = compile_config(
        config,
        actions=actions,
        guards=guards,
        services=services,
        delays=delays,
        effects=effects,
        event_schemas=event_schemas,
        locales=locales,
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
    event_schemas: Mapping[str, type[Any]] | None = None,
    migrations: Iterable[Migration] | None = None,
    locale: str | None = None,
    locales: str | Path | None = None,
) -> Chart:
    """Compile a config with its functions and speech. Arguments and errors are those of `create_fsm_actor`.

    Args:
        migrations: functions that upgrade runs stored by earlier versions.
        locale: the language of the framework's phrases. Defaults to the config's `meta.locale`.
    """
    _refuse_machine(config)
    brought = config if isinstance(config, Imported) else None
    parsed = parse_config(config if not isinstance(config, Imported) else config.config)
    place, name = here(), f"machine {parsed.id!r}" if parsed.id else "the config"
    doubt_locale(locale or own_locale(parsed), place, name)
    problems = [
        Problem(f"delays[{key!r}]", f"is {delay}, which is negative", "a delay is 0 milliseconds or more")
        for key, delay in (delays or {}).items()
        if isinstance(delay, int | float | timedelta) and (milliseconds(delay) or 0) < 0
    ]
    behaviour = Behaviour(
        actions=_codes({**(brought.actions if brought else {}), **(actions or {})}, "action", problems),
        guards=_codes({**(brought.guards if brought else {}), **(guards or {})}, "guard", problems),
        services=services or {},
        delays=delays or {},
        effects=_effects(effects or {}, problems),
        migrations=tuple(migrations or ()),
        payloads=_payloads(event_schemas or {}, parsed, problems),
        speak=make_speech(locale or own_locale(parsed)),
        locales=_locale_files(parsed, locales if locales is not None or brought is None else brought.locales),
    )
    problems += unspoken_formats(parsed, behaviour)
    try:
        chart = compile_chart(parsed, behaviour)
    except DefinitionError as error:
        raise DefinitionError(error.subject, [*error.problems, *problems]) from None
    if problems:
        raise DefinitionError(name, problems)
    for doubt in unfilled_slots(parsed, chart.payloads):
        warnings.warn_explicit(f"{name}: {doubt}", DefinitionWarning, place.filename, place.line)
    return chart


def _refuse_machine(config: Any) -> None:
    """Raise for a class, an instance or a function instead of a config, with a hint where it belongs."""
    if not isinstance(config, type | Running | FunctionType):
        return
    kind: type[Any] = config if isinstance(config, type) else type(cast("Any", config))
    told = "a function" if isinstance(config, FunctionType) else "a class" if config is kind else "an instance"
    name = config.__name__ if isinstance(config, FunctionType) else kind.__name__
    hint = "give an FsmConfig, a mapping, or JSON text"
    if issubclass(kind, Running):
        hint = f"give the class to create_fsm_mcp_bridge, or make one with {name}(), which is its own actor"
    raise DefinitionError(name, [Problem("", f"is {told}, not a config", hint)])


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


def _effects(functions: Mapping[str, Function], problems: list[Problem]) -> dict[str, EffectCode]:
    codes: dict[str, EffectCode] = {}
    for name, function in functions.items():
        try:
            codes[name] = effect_code(name, function)
        except TypeError as error:
            problems.append(Problem(f"effects[{name!r}]", str(error)))
    return codes


def _nothing(*_: Any) -> None:
    """A stand-in for an unsuitable function, so that its name is not reported as unknown too."""


def _payloads(schemas: Mapping[str, type[Any]], config: FsmConfig, problems: list[Problem]) -> dict[str, Payload]:
    known = dict.fromkeys(event for node in Tree(config).nodes for event in node.config.on)
    wild = any(is_wildcard(event) for event in known)
    payloads: dict[str, Payload] = {}
    for event, model in schemas.items():
        where = f"event_schemas[{event!r}]"
        if event not in known and not wild:
            problems.append(Problem(where, "no transition has this event", did_you_mean(event, known)))
        if isinstance(model, type) and issubclass(model, BaseModel):  # pyright: ignore[reportUnnecessaryIsInstance] - untyped callers pass anything
            payloads[event] = Payload.from_model(event, model)
        else:
            found = f"is the class {model.__name__}" if isinstance(model, type) else f"is {type(model).__name__}"  # pyright: ignore[reportUnnecessaryIsInstance] - untyped callers pass anything
            problems.append(Problem(where, found, "give a pydantic model class"))
    return payloads


def _locale_files(config: FsmConfig, folder: str | Path | None) -> LocaleFiles | None:
    return None if folder is None else LocaleFiles([LocaleFolder(Path(folder), config.id)])
