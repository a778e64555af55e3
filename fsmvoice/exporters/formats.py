"""The formats that a machine can be written in, by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TypeAlias

from fsmvoice.exporters.mermaid import to_mermaid
from fsmvoice.exporters.xstate import to_xstate
from fsmvoice.model.config import FsmConfig

Writer: TypeAlias = Callable[[FsmConfig], str]
"""Writes a machine as text. Raises DefinitionError for what the format can't express."""


def _xstate(config: FsmConfig) -> str:
    return json.dumps(to_xstate(config), indent=2, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Writer] = {"mermaid": to_mermaid, "xstate": _xstate}
