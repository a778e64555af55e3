"""Rules: functions that look for mistakes in a machine, with their descriptions."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from fsmvoice.check.finding import Found, Severity
from fsmvoice.check.subject import Subject
from fsmvoice.errors import did_you_mean

Look: TypeAlias = Callable[[Subject], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of `fsmvoice check`.

    Attributes:
        title: what it finds, in one line.
        text: what it finds, in full.
        right: how to fix it.
        source: why the rule exists: a web page or our own reasons.
        alexa: whether it is applied with `--alexa` only.
    """

    id: str
    severity: Severity
    title: str
    text: str
    right: str
    source: str
    alexa: bool
    look: Look


def rule(id: str, severity: Severity, *, source: str, right: str, alexa: bool = False) -> Callable[[Look], Rule]:
    """Make a function a rule. Its docstring is the rule's text, and the first line of it the title."""

    def decorate(look: Look) -> Rule:
        text = inspect.getdoc(look) or id
        return Rule(id, severity, text.partition("\n")[0], text, right, source, alexa, look)

    return decorate


def rule_meant(name: str, known: Collection[str]) -> str:
    """A hint for an unknown rule: `V5`, `v05` and `V005` mean V05. '' if no rule is similar."""
    written = re.fullmatch(r"([A-Za-z])[\s_-]*0*(\d{1,2})", name.strip())
    exact = f"{written[1].upper()}{int(written[2]):02}" if written else ""
    return f"did you mean {exact!r}?" if exact in known else did_you_mean(name.upper(), known)
