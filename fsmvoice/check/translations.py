"""The rule about locale files."""

from __future__ import annotations

from collections.abc import Iterator

from fsmvoice.check.finding import Found, Severity, Spot
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.model.nodes import Node
from fsmvoice.voice.locales import LocaleFinding, locale_findings, shown


@rule(
    "V21",
    "error",
    source="where a translation is missing, the machine switches to its own language in mid-conversation",
    right="run fsmvoice locale add TARGET LANGUAGE to add what is missing, and rename or remove what is unknown",
)
def translation(subject: Subject) -> Iterator[Found]:
    """A locale file with missing or unknown texts, or with slots that the original doesn't have."""
    for finding in locale_findings(subject.written):
        message = f"{shown(finding.key)} {finding.message}" if finding.key else finding.message
        right = finding.hint or ("a translation" if finding.kind == "missing" else "the same as in the original")
        severity: Severity | None = "warning" if finding.kind == "left-out" else None
        yield Found(_spot(subject, finding), message, right, severity, finding.locale)


def _spot(subject: Subject, finding: LocaleFinding) -> Spot:
    table, name = (*finding.key, "", "")[:2]
    nodes: tuple[Node, ...] = (subject.chart.root,)
    events = (name,) if table == "events" else ()
    if table in ("states", "forbidden", "says"):
        node = subject.chart.node_of(name)
        nodes = nodes if node is None else (node,)
    # A missing text has no line, so only the file is named.
    key = () if finding.kind == "missing" else finding.key
    return Spot("", subject.translations.within(finding.file, key), nodes, events)
