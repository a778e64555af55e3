"""The findings of rules, and the parts of a machine that they are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from fsmvoice.model.nodes import Node

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of a machine that a finding is about.

    Attributes:
        name: its name in messages, such as `ordering`, `ORDER` or `ordering/ORDER`.
        where: `file:line` if the class or file is known, else the JSON path in the config.
        states: the states whose silences apply, together with those of the states that enclose them.
        events: the events whose silences apply.
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
    """What a rule yields.

    Attributes:
        right: what is expected instead.
        severity: if it differs from the rule's.
        locale: the language it is about, '' for the machine's own.
    """

    spot: Spot
    message: str
    right: str
    severity: Severity | None = None
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule: where, what is wrong, and what is expected instead (`right`)."""

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
        return f"{self.rule} {self.severity} {at}{told}: {self.message}; expected: {self.right}"

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON data."""
        data = {
            "rule": self.rule,
            "severity": self.severity,
            "name": self.name,
            "where": self.where,
            "message": self.message,
            "right": self.right,
        }
        return {**data, "locale": self.locale} if self.locale else data
