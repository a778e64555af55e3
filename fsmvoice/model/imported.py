"""`Imported`: the result of an importer, a config with its functions and notes on what was assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from fsmvoice.model.behaviour import Function, InState
from fsmvoice.model.config import FsmConfig


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported machine. It is accepted wherever a config is, and brings its own functions."""

    config: FsmConfig
    actions: Mapping[str, Function] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[str, ...] = ()
    """What was left out, renamed or assumed, one sentence each."""
    guards: Mapping[str, Function | InState] = field(default_factory=lambda: MappingProxyType({}))
    locales: Path | None = None
    """The folder with its texts in other languages."""
