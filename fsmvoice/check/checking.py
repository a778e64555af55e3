"""`check`: applies every rule to a machine."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.check.finding import Finding, Found, Severity
from fsmvoice.check.registry import RULES
from fsmvoice.check.rule import Rule
from fsmvoice.check.silences import UNUSED, WRONG, is_reasoned, silences_of, unused_silences, wrong_silences
from fsmvoice.check.subject import Subject
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.imported import Imported
from fsmvoice.model.unbound import unbound_chart

Checkable: TypeAlias = type[VoiceMachine[Any]] | FsmMcpBridge | FsmConfig | Imported | Chart
_ORDER: Sequence[Severity] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check, in the order of the rules.

    Attributes:
        silenced: the findings that are silenced, with the reasons.
        notes: a sentence for each thing that was not fully checked because there was too much of it.
    """

    name: str
    findings: tuple[Finding, ...]
    silenced: tuple[tuple[Finding, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)

    def count(self, severity: Severity) -> int:
        return Counter(finding.severity for finding in self.findings)[severity]


def check(
    machine: Checkable, *, alexa: bool = False, functions: Mapping[str, Callable[..., Any]] | None = None
) -> Checked:
    """Check everything that a machine can say and do, without running it.

    No action, hook, service or effect is called. Guards are called, as for offers; in a config without functions each
    guard is assumed to say yes sometimes.

    Args:
        alexa: also apply the rules for Alexa.
        functions: the actions of a config by name. Their source is read, but they are not called.

    Raises:
        MissingExtra: if the machine has utterance templates and hassil is not installed.
    """
    subject = _subject(machine, functions)
    with _quiet():
        found = [(rule, one) for rule in RULES.values() if alexa or not rule.alexa for one in rule.look(subject)]
        silences = silences_of(subject)
    counted = [silence for silence in silences if silence.rule in RULES and is_reasoned(silence)]
    findings: dict[Finding, None] = {}
    silenced: list[tuple[Finding, str]] = []
    used: set[int] = set()
    for finding in dict.fromkeys(_finding(rule, one) for rule, one in found):
        covering = [silence for silence in counted if silence.covers(finding)]
        used |= {id(silence) for silence in covering}
        if covering:
            silenced.append((finding, str(covering[0].reason)))
        else:
            findings[finding] = None
    looked = [silence for silence in counted if alexa or not RULES[silence.rule].alexa]
    told = [(WRONG, one) for one in wrong_silences(silences, RULES)]
    told += [(UNUSED, one) for one in unused_silences(looked, used)]
    findings.update(dict.fromkeys(_finding(rule, one) for rule, one in told))
    return Checked(subject.chart.name, tuple(findings), tuple(silenced), tuple(_notes(subject)))


def _notes(subject: Subject) -> Iterator[str]:
    if not subject.ways.complete:
        number = len({move.start for move in subject.ways.moves} - {None})
        yield f"{number:,} combinations of active states were checked, and there are more"
    yield from subject.cut


def _subject(machine: Checkable, functions: Mapping[str, Callable[..., Any]] | None) -> Subject:
    if isinstance(machine, type):
        return Subject(machine.chart, machine)
    if isinstance(machine, FsmMcpBridge):
        return Subject(machine.chart, None, functions)
    if isinstance(machine, Chart):
        return Subject(machine, None, functions)
    if isinstance(machine, Imported):
        chart = unbound_chart(machine.config, locales=machine.locales, guards_hold=True)
        return Subject(chart, None, functions or machine.actions, guards=False)
    return Subject(unbound_chart(machine, guards_hold=True), None, functions, guards=False)


def _finding(rule: Rule, found: Found) -> Finding:
    spot = found.spot
    severity = found.severity or rule.severity
    return Finding(rule.id, severity, spot.name, spot.where, found.message, found.right, found.locale, spot)


def by_severity(findings: Sequence[Finding]) -> list[Finding]:
    """The findings sorted by severity, errors first, in stable order."""
    return sorted(findings, key=lambda finding: _ORDER.index(finding.severity))


@contextmanager
def _quiet() -> Generator[None]:
    """Silence the package's log in this thread, since guards may fail on sample contexts."""
    logger, own = logging.getLogger("fsmvoice"), threading.get_ident()

    def elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != own

    logger.addFilter(elsewhere)
    try:
        yield
    finally:
        logger.removeFilter(elsewhere)
