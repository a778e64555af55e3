"""The notebook representation of machine classes and instances: a picture, with the active states highlighted."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, Generic

from typing_extensions import TypeVar

from fsmvoice.errors import DrawingFailed
from fsmvoice.machine.definition import Definition
from fsmvoice.machine.running import Running, actor_of
from fsmvoice.model.config import FsmConfig

R = TypeVar("R")


class OnBoth(Generic[R]):
    """A method bound to the class or to the instance that it is read from. Notebooks need it to display classes."""

    def __init__(self, function: Callable[..., R]) -> None:
        self._function = function

    def __get__(self, machine: object, owner: type[Any]) -> Callable[..., R]:
        return MethodType(self._function, owner if machine is None else machine)


def svg_of(machine: type[Running[Any]] | Running[Any]) -> str | None:
    """The picture as SVG; None if Graphviz can't draw it, or for a class without states."""
    from fsmvoice.exporters.svg import to_svg  # noqa: PLC0415 - only notebooks need it

    drawn = _drawn(machine)
    try:
        return None if drawn is None else to_svg(drawn[0], active=drawn[1])
    except DrawingFailed:  # the notebook falls back to Mermaid text or the repr
        return None


def bundle_of(machine: type[Running[Any]] | Running[Any], **_: Any) -> dict[str, str]:
    """The picture in the formats that notebooks display: SVG, and Mermaid text, which JupyterLab renders."""
    from fsmvoice.exporters.mermaid import to_mermaid  # noqa: PLC0415 - only notebooks need it

    drawn = _drawn(machine)
    if drawn is None:
        return {}
    svg = svg_of(machine)
    return {**({"image/svg+xml": svg} if svg else {}), "text/vnd.mermaid": to_mermaid(drawn[0], active=drawn[1])}


def _drawn(machine: type[Running[Any]] | Running[Any]) -> tuple[FsmConfig, list[str]] | None:
    cls = machine if isinstance(machine, type) else type(machine)
    definition: Definition | None = getattr(cls, "__fsmvoice_definition__", None)
    if definition is None:
        return None
    active = [] if isinstance(machine, type) else [f"#{node.id}" for node in actor_of(machine).snapshot.nodes]
    return definition.config, active
