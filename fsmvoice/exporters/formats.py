"""The export formats by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Protocol, TypeAlias

from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.mermaid import to_mermaid
from fsmvoice.exporters.svg import to_svg
from fsmvoice.exporters.xstate import to_xstate
from fsmvoice.model.config import FsmConfig

Writer: TypeAlias = Callable[[FsmConfig], str]
"""Writes a machine as text.

Raises:
    DefinitionError: if the format can't express the machine.
    DrawingFailed: if it needs Graphviz, which is missing or failed.
"""


class Painter(Protocol):
    """Draws a machine with highlighted states.

    Raises:
        UnknownName: if the machine has no such state.
        DrawingFailed: if it needs Graphviz, which is missing or failed.
    """

    def __call__(self, config: FsmConfig, *, active: Collection[str] = ()) -> str: ...


def _xstate(config: FsmConfig) -> str:
    return json.dumps(to_xstate(config), indent=2, ensure_ascii=False) + "\n"


PICTURES: Mapping[str, Painter] = {"dot": to_dot, "mermaid": to_mermaid, "svg": to_svg}
FORMATS: Mapping[str, Writer] = {**PICTURES, "xstate": _xstate}
