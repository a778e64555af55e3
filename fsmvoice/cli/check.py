"""`fsmvoice check`: find problems in what a machine says and hears."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fsmvoice.check.checking import Checked, by_severity
from fsmvoice.check.checking import check as check_machine
from fsmvoice.check.finding import Finding
from fsmvoice.check.registry import RULES
from fsmvoice.check.rule import Rule, rule_meant
from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import Target, load_target
from fsmvoice.errors import DefinitionError, MissingExtra

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}
_WIDTH = 100


@click.command(
    short_help="Find problems in what TARGET says and hears.",
    epilog="""\b
Examples:
  fsmvoice check coffee.py
  fsmvoice check coffee.py --alexa --strict
  fsmvoice check machine.json --json | jq '.findings[].rule'
  fsmvoice check --explain V05

\b
Exit codes: 0 no errors, 1 at least one error, 2 the command line, the target
or its definition is invalid.""",
)
@click.argument("target", required=False)
@click.option("--alexa", is_flag=True, help="Also check Alexa's requirements.")
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as a JSON object.")
@behaviour_option()
@click.option("--list", "listed", is_flag=True, help="List the rules and exit.")
@click.option("--explain", metavar="RULE", help="Explain a rule and exit.")
def check(  # noqa: PLR0917 - click passes options by name
    target: str | None,
    alexa: bool,
    strict: bool,
    as_json: bool,
    behaviour: Path | None,
    listed: bool,
    explain: str | None,
) -> None:
    """Check what TARGET says, hears and offers in each of its states and languages.

    Only guards are called. Each finding names a rule, a place, and a correction. To silence a finding, give the reason
    at its place: allow={"V05": "..."} in a State or @spoken, or `checks` in a config's `meta`.
    """
    if listed or explain is not None:
        click.echo(_list() if explain is None else _explained(explain))
        return
    if target is None:
        raise click.UsageError("Missing argument 'TARGET'.")
    found = load_target(target, behaviour)
    try:
        checked = _checked(found, alexa=alexa)
    except (DefinitionError, MissingExtra) as error:
        raise Failure(str(error)) from None
    failed = not checked.ok or (strict and checked.count("warning") > 0)
    click.echo(_json(checked, failed=failed) if as_json else _report(target, checked))
    if failed:
        raise click.exceptions.Exit(1)


def _checked(found: Target, *, alexa: bool) -> Checked:
    machine: Any = found.machine
    if not found.functions:
        return check_machine(machine, alexa=alexa)
    actions: Mapping[str, Callable[..., Any]] = found.functions.get("actions", {})
    return check_machine(found.bridge(), alexa=alexa, functions=actions)


def _json(checked: Checked, *, failed: bool) -> str:
    data = {
        "ok": not failed,
        "errors": checked.count("error"),
        "warnings": checked.count("warning"),
        "notes": list(checked.notes),
        "findings": [finding.to_dict() for finding in by_severity(checked.findings)],
        "silenced": [{**finding.to_dict(), "reason": reason} for finding, reason in checked.silenced],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _report(target: str, checked: Checked) -> str:
    """The findings by place, errors first, and a line that sums them up."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in by_severity(checked.findings):
        groups.setdefault((_relative(finding.where), finding.name), []).append(finding)
    lines: list[str] = []
    for (where, name), findings in groups.items():
        lines.append(click.style(" ".join(filter(None, (where, name))), bold=True))
        for finding in findings:
            lines += _lines(finding)
        lines.append("")
    lines += (
        [*(click.style(f"note: {note}", fg=_COLOURS["info"]) for note in checked.notes), ""] if checked.notes else []
    )
    silenced = f", {len(checked.silenced)} silenced" if checked.silenced else ""
    if not checked.findings:
        return "\n".join([*lines, click.style(f"{target}: clean{silenced}", fg="green")])
    counts = [_count(checked.count("error"), "error"), _count(checked.count("warning"), "warning")]
    infos = checked.count("info")
    counts += [f"{infos} info"] if infos else []
    lines.append(f"{target}: {', '.join(counts)}{silenced}")
    rules = ", ".join(dict.fromkeys(finding.rule for finding in by_severity(checked.findings)))
    lines.append(click.style(f"More of a rule: fsmvoice check --explain RULE ({rules})", dim=True))
    return "\n".join(lines)


def _lines(finding: Finding) -> Sequence[str]:
    head = f"  {finding.rule} {finding.severity}"
    language = f"[{finding.locale}] " if finding.locale else ""
    indent = " " * (len(head) + 2)
    told = textwrap.wrap(f"{language}{finding.message}", _WIDTH - len(indent), break_long_words=False) or [""]
    right = textwrap.wrap(f"expected: {finding.right}", _WIDTH - len(indent), break_long_words=False)
    coloured = f"  {finding.rule} {click.style(finding.severity, fg=_COLOURS[finding.severity])}"
    return [f"{coloured}  {told[0]}", *(f"{indent}{line}" for line in (*told[1:], *right))]


def _relative(where: str) -> str:
    """A path as it is shortest from here; a JSON path as it is."""
    if not os.path.isabs(where):
        return where
    shorter = os.path.relpath(where)
    return where if shorter.startswith(os.pardir) else shorter


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _list() -> str:
    lines: list[str] = []
    for rule in RULES.values():
        mark = " (--alexa)" if rule.alexa else ""
        lines += textwrap.wrap(f"{rule.id}  {rule.severity:8} {rule.title}{mark}", _WIDTH, subsequent_indent=" " * 14)
    return "\n".join(lines)


def _explained(name: str) -> str:
    rule: Rule | None = RULES.get(name.upper())
    if rule is None:
        raise Failure(f"there is no rule {name!r}; {rule_meant(name, RULES) or 'see --list'}")
    mark = ", with --alexa" if rule.alexa else ""
    silence = (
        f'allow={{"{rule.id}": "..."}} on a State or in @spoken; "checks": {{"{rule.id}": "..."}} in a config\'s meta'
    )
    told = [("Fix", rule.right), ("Source", rule.source), ("Silence", silence)]
    lines = [f"{rule.id} {rule.severity}{mark}", "", rule.text, ""]
    for word, text in told:
        lines += textwrap.wrap(
            f"{word + ':':9}{text}", _WIDTH, subsequent_indent=" " * 9, break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(lines)
