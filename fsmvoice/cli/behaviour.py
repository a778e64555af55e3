"""Behaviour files: Python files with the functions of a config, in mappings such as `actions` and `guards`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import click

from fsmvoice.cli.module import existing, module_from_file
from fsmvoice.cli.problem import Failure, shown
from fsmvoice.errors import did_you_mean
from fsmvoice.model.versions import Migration

MAPPINGS = ("actions", "guards", "services", "delays", "effects", "event_schemas")
MIGRATIONS = "migrations"
F = TypeVar("F", bound=Callable[..., Any])


def behaviour_option(note: str = "") -> Callable[[F], F]:
    """The option --behaviour of a command. `note` is appended to its help."""
    told = (
        f"A Python file with a config's functions, in mappings called {', '.join(MAPPINGS)}, and a list {MIGRATIONS}."
    )
    return click.option("--behaviour", type=click.Path(path_type=Path), metavar="FILE", help=f"{told} {note}".strip())


def functions_from_file(path: Path) -> dict[str, Any]:
    """The mappings in a behaviour file."""
    if path.suffix != ".py":
        raise Failure(f"--behaviour takes a Python file, not {str(path)!r}")
    module = module_from_file(existing(path))
    found = functions_of(module)
    if not found:
        names = [name for name in vars(module) if not name.startswith("_")]
        near = next(((want, name) for want in MAPPINGS for name in names if _like(name, want)), None)
        hint = f"; did you mean {near[0]} where it says {near[1]}?" if near else ""
        raise Failure(f"{shown(path)} has none of the mappings {', '.join(MAPPINGS)}{hint}")
    return found


def functions_of(module: ModuleType) -> dict[str, Any]:
    """The mappings and the list of migrations in a module, by name."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        meant = difflib.get_close_matches(name, MAPPINGS, n=1, cutoff=0.8) if isinstance(value, Mapping) else []
        if meant and name not in MAPPINGS and meant[0] not in vars(module):
            place = shown(Path(module.__file__ or module.__name__))
            raise Failure(f"{place}: {name} is not one of {', '.join(MAPPINGS)}; did you mean {meant[0]}?")
    for name in MAPPINGS:
        value = vars(module).get(name)
        if isinstance(value, Mapping):
            found[name] = cast("Mapping[str, Any]", value)
        elif value is not None:
            place = shown(Path(module.__file__ or module.__name__))
            raise Failure(f"{place}: {name} is {type(value).__name__}; it should be a mapping of names to functions")
    migrations = vars(module).get(MIGRATIONS)
    if isinstance(migrations, list | tuple) and all(isinstance(it, Migration) for it in cast("list[Any]", migrations)):
        found[MIGRATIONS] = migrations
    elif migrations is not None:
        place = shown(Path(module.__file__ or module.__name__))
        raise Failure(f'{place}: {MIGRATIONS} should be a list of functions decorated with @migration("1", "2")')
    return found


def _like(name: str, wanted: str) -> bool:
    return did_you_mean(name, [wanted]).startswith("did you mean")
