"""What a notebook shows of a machine class, and of an instance where it stands."""

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
    """A method that a class answers for itself, and an instance for itself. Notebooks ask a class only such ones."""

    def __init__(self, function: Callable[..., R]) -> None:
        self._function = function

    def __get__(self, machine: object, owner: type[Any]) -> Callable[..., R]:
        return MethodType(self._function, owner if machine is None else machine)


def svg_of(machine: type[Running[Any]] | Running[Any]) -> str | None:
    """The picture as SVG; None where Graphviz can't draw it, and for a class without states."""
    from fsmvoice.exporters.svg import to_svg  # noqa: PLC0415 - a machine starts without what only notebooks need

    drawn = _drawn(machine)
    try:
        return None if drawn is None else to_svg(drawn[0], active=drawn[1])
    except DrawingFailed:  # a notebook then shows the Mermaid text or the repr
        return None


def bundle_of(machine: type[Running[Any]] | Running[Any], **_: Any) -> dict[str, str]:
    """The picture in the forms that notebooks draw: SVG, and Mermaid text, which JupyterLab draws itself."""
    from fsmvoice.exporters.mermaid import to_mermaid  # noqa: PLC0415 - as above

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
