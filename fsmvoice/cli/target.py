"""Resolving `TARGET`: a machine in a Python file or module, or in a JSON file."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

import click

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.cli.behaviour import functions_from_file, functions_of
from fsmvoice.cli.module import existing, module_from_file, module_named
from fsmvoice.cli.problem import Failure, shown, warn
from fsmvoice.errors import DefinitionError, FsmVoiceError, did_you_mean
from fsmvoice.importers.load import load
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.imported import Imported
from fsmvoice.model.parse import parse_config
from fsmvoice.model.unbound import unbound_chart
from fsmvoice.sessions.store import SessionStore

Machine: TypeAlias = type[VoiceMachine[Any]] | FsmConfig | Imported | FsmMcpBridge


@dataclass(frozen=True)
class Target:
    """A machine, and the functions given for it."""

    name: str
    machine: Machine
    functions: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def config(self) -> FsmConfig:
        """The machine as data. A config's functions are not needed for it."""
        machine = self.machine
        if isinstance(machine, FsmMcpBridge):
            return machine.chart.config
        if isinstance(machine, Imported):
            return machine.config
        return machine if isinstance(machine, FsmConfig) else machine.config

    def bridge(self, store: SessionStore | None = None) -> FsmMcpBridge:
        """The machine's MCP bridge.

        Raises:
            Failure: if the machine is invalid, or lacks functions.
        """
        if isinstance(self.machine, FsmMcpBridge):
            return self.machine
        try:
            with warnings.catch_warnings():
                warnings.showwarning = warn
                return create_fsm_mcp_bridge(self.machine, store=store, **dict(self.functions))
        except DefinitionError as error:
            hint = "" if isinstance(self.machine, type) or not self._lacks_functions(error) else _GIVE_FUNCTIONS
            raise Failure(f"{error}{hint}") from None
        except FsmVoiceError as error:
            raise Failure(str(error)) from None

    def chart(self) -> tuple[Chart, bool]:
        """The compiled machine, and whether it has its functions. Without them it can be inspected, but not run.

        Raises:
            Failure: if the machine is invalid.
        """
        machine: Any = self.machine
        chart: Chart | None = getattr(machine, "chart", None)
        if chart is not None:
            return chart, True
        if self.functions:
            return self.bridge().chart, True
        try:
            return unbound_chart(self.config), False
        except DefinitionError as error:
            raise Failure(str(error)) from None

    def _lacks_functions(self, error: DefinitionError) -> bool:
        return any("unknown" in problem.message for problem in error.problems)


_GIVE_FUNCTIONS = (
    "\nGive them with --behaviour FILE, a Python file with mappings of names to functions: "
    "actions = {...}, guards = {...}, services = {...}, delays = {...}, effects = {...}; and with "
    "event_schemas = {...}, a mapping of events to pydantic models of their payloads"
)


def load_target(text: str, behaviour: Path | None = None) -> Target:
    """Find the machine that `text` names.

    Raises:
        Failure: if there is none, with a suggestion.
    """
    if not text.strip():
        raise Failure("TARGET is empty; give a file such as machine.py, or module:Class")
    place, _, name = _split(text)
    given = functions_from_file(behaviour) if behaviour else None
    if place.endswith(".json"):
        if name:
            raise Failure(f"{place} contains one machine; leave out ':{name}'")
        path = existing(Path(place))
        return Target(place, _imported(path), given or {})
    is_file = place.endswith(".py") or "/" in place or os.path.exists(place)
    module = module_from_file(existing(Path(place))) if is_file else module_named(place)
    machine = _named(module, place, name) if name else _only(module, place)
    if given is not None and not isinstance(machine, FsmConfig | Imported):
        what = "a bridge" if isinstance(machine, FsmMcpBridge) else "a class"
        raise Failure(f"{text} is {what}, which has its own functions; --behaviour is for configs")
    return Target(
        text, machine, functions_of(module) if given is None and isinstance(machine, FsmConfig) else given or {}
    )


_FILE_AND_NAME = re.compile(r"(.+?\.(?:py|json)):(.*)", re.DOTALL)


def _split(text: str) -> tuple[str, str, str]:
    """The file or module, the colon, and the name after it; `C:\\x.py` has no name."""
    place, colon, name = text.rpartition(":")
    file = _FILE_AND_NAME.fullmatch(text)
    if file is not None and not file[2].replace(".", "_").isidentifier() and not os.path.lexists(text):
        raise Failure(
            f"{file[2]!r} is not the name of a machine in {file[1]}; write {file[1]}:Name, or {file[1]} alone"
        )
    return (place, colon, name) if colon and name.replace(".", "_").isidentifier() else (text, "", "")


def _imported(path: Path) -> Imported:
    """The machine in a JSON file. Notes of the import are printed to stderr."""
    try:
        imported = load(Path(shown(path)))
    except OSError as error:
        raise Failure(f"can't read {shown(path)}: {error.strerror}") from None
    except DefinitionError as error:
        raise Failure(str(error)) from None
    for note in imported.notes:
        click.echo(f"Note: {shown(path)}: {note}", err=True)
    return imported


def _named(module: ModuleType, place: str, name: str) -> Machine:
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            known = list(candidates(module)) or ["no machines"]
            raise Failure(f"there is no {name!r} in {place}; {did_you_mean(name, known, otherwise='in it are')}")
        found = getattr(found, part)
    if isinstance(found, Mapping):
        try:
            return parse_config(cast("Mapping[str, Any]", found), f"{place}:{name}")
        except DefinitionError as error:
            raise Failure(str(error)) from None
    if not _is_machine(found):
        raise Failure(f"{name} in {place} is {_what(found)}; {_WANTED}")
    return cast("Machine", found)


def _only(module: ModuleType, place: str) -> Machine:
    found = candidates(module)
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        context = click.get_current_context(silent=True)
        command = f"{context.command_path} " if context else ""
        commands = "".join(f"\n  {command}{place}:{name}" for name in found)
        raise Failure(f"there are {len(found)} machines in {place}; choose one:{commands}")
    seen = [f"{name} ({_what(value)})" for name, value in _own(module).items()]
    inside = f"it has {', '.join(seen[:8])}{', …' if len(seen) > 8 else ''}" if seen else "it defines nothing"
    raise Failure(f"there is no machine in {place}: {inside}; {_WANTED}")


_WANTED = "a machine is a subclass of VoiceMachine with states, an FsmConfig, or a bridge"


def candidates(module: ModuleType) -> dict[str, Machine]:
    """The machines that a module defines: its bridges, and the classes and configs that none of them serves."""
    values = {name: value for name, value in _own(module).items() if _is_machine(value)}
    bridges = [value for value in values.values() if isinstance(value, FsmMcpBridge)]
    served = [bridge.chart.config for bridge in bridges]
    found: dict[str, Machine] = {}
    seen: list[object] = []
    for name, value in values.items():
        config = value.config if isinstance(value, Imported) else value
        if not isinstance(value, FsmMcpBridge) and any(
            config is own or getattr(config, "config", None) is own for own in served
        ):
            continue
        if not any(value is other for other in seen):
            seen.append(value)
            found[name] = value
    return found


def _own(module: ModuleType) -> dict[str, Any]:
    """The public attributes that a module defines itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value) and _is_from(value, module.__name__)
    }


def _is_from(value: object, module: str) -> bool:
    """Whether `value` is defined in `module`. For configs and bridges that is not known, so it is assumed."""
    if isinstance(value, FsmConfig | Imported | FsmMcpBridge):
        return True
    return getattr(value, "__module__", module) == module


def _is_machine(value: object) -> bool:
    if isinstance(value, type):
        return issubclass(value, VoiceMachine) and _is_concrete(value)
    return isinstance(value, FsmConfig | Imported | FsmMcpBridge)


def _is_concrete(machine: Any) -> bool:
    """Whether a machine class can run: it has states, and no abstract methods."""
    if inspect.isabstract(machine):
        return False
    try:
        return bool(machine.config.states)
    except DefinitionError:
        return False


def _what(value: object) -> str:
    if inspect.isabstract(value):
        missing: list[str] = sorted(getattr(value, "__abstractmethods__", ()))
        return f"an abstract class without {', '.join(missing)}"
    if isinstance(value, type):
        return "a class"
    return "a function" if inspect.isfunction(value) else f"a value of type {type(value).__name__}"
