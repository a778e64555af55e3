"""What a rule found, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from fsmvoice.model.nodes import Node

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of a machine that a finding is about.

    Attributes:
        name: how a message calls it: `ordering`, `ORDER`, `ordering/ORDER`.
        where: `file:line` where a class or a file is known, else the JSON path in the config.
        states: the states whose silences count, and so do those of the states around them.
        events: the events whose silences count.
    """

    name: str
    where: str
    states: tuple[Node, ...] = ()
    events: tuple[str, ...] = ()

    def also(self, *states: Node, events: tuple[str, ...] = ()) -> Spot:
        """The same spot, about more states and events."""
        return Spot(self.name, self.where, (*self.states, *states), (*self.events, *events))


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule yields. `severity` is the rule's, unless it says another; `locale` is '' for the machine's own."""

    spot: Spot
    message: str
    right: str
    severity: Severity | None = None
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found: where, what, and what would be right."""

    rule: str
    severity: Severity
    name: str
    where: str
    message: str
    right: str
    locale: str = ""
    spot: Spot = field(repr=False, compare=False, default_factory=lambda: Spot("", ""))

    def __str__(self) -> str:
        told = f" [{self.locale}]" if self.locale else ""
        at = f"{self.where} {self.name}".strip()
        return f"{self.rule} {self.severity} {at}{told}: {self.message} — would be right: {self.right}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON has it."""
        data = {
            "rule": self.rule,
            "severity": self.severity,
            "name": self.name,
            "where": self.where,
            "message": self.message,
            "right": self.right,
        }
        return {**data, "locale": self.locale} if self.locale else data
