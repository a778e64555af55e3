"""Checking the locale files of a machine for unknown keys, wrong slots, and missing translations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from fsmvoice.errors import DefinitionError, Problem, did_you_mean
from fsmvoice.model.chart import Chart
from fsmvoice.model.locale_files import LocaleFile
from fsmvoice.model.shapes import is_list
from fsmvoice.model.slots import is_field, lone_brace, slots_of
from fsmvoice.voice.authored import own_locale, texts_of
from fsmvoice.voice.entries import Entry, Key, entries
from fsmvoice.voice.languages import DEFAULT, language_of
from fsmvoice.voice.wording import files_for, found_in

SECTIONS = ("states", "events", "guards", "forbidden", "says", "after", "parameters", "values")
REGISTERS = ("formal", "informal")
_HEAD = ("machine", "register")

Kind = Literal["unreadable", "unknown", "type", "slots", "left-out", "missing"]
"""`slots`: a slot that the original does not have; `left-out`: a slot that the translation does not have."""


@dataclass(frozen=True, slots=True)
class LocaleFinding:
    """One problem in a locale file."""

    kind: Kind
    locale: str
    file: Path
    key: Key
    message: str
    hint: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it would make speech wrong. Otherwise the text in the machine's own language is used."""
        return self.kind in ("unreadable", "type", "slots")

    def __str__(self) -> str:
        return str(self.problem)

    @property
    def problem(self) -> Problem:
        at = f"{self.file}: {shown(self.key)}" if self.key else str(self.file)
        return Problem(at, self.message, self.hint)


def locale_findings(chart: Chart) -> list[LocaleFinding]:
    """All problems in the locale files of a machine."""
    try:
        locales = chart.behaviour.locales
        files = () if locales is None else locales.files
    except DefinitionError as error:
        return [
            LocaleFinding("unreadable", "", Path(problem.where), (), problem.message, problem.hint)
            for problem in error.problems
        ]
    found: list[LocaleFinding] = []
    for file in files:
        found += findings_in(chart, file)
        if not file.inherited:
            found += _missing(chart, file)
    return found


def missing(chart: Chart, locale: str) -> list[Key]:
    """The keys of the texts that have no translation for a locale."""
    if language_of(locale) == language_of(own_locale(chart.config) or DEFAULT):
        return []
    files = files_for(chart, locale)
    return [entry.key for entry in entries(chart) if entry.texts and not _complete(entry, files)]


def untranslated(chart: Chart, file: LocaleFile) -> list[Key]:
    """The keys of the texts that have no translation in this file."""
    return [entry.key for entry in entries(chart) if entry.texts and not _complete(entry, (file,))]


def extra(chart: Chart, locale: str) -> list[Key]:
    """The keys in a machine's own files for a locale that are not keys of its texts."""
    files = [file for file in files_for(chart, locale) if not file.inherited]
    return [finding.key for file in files for finding in findings_in(chart, file) if finding.kind == "unknown"]


def check_locales(chart: Chart) -> Iterator[str]:
    """Warnings about a machine's locale files, one sentence for each file.

    Raises:
        DefinitionError: listing files that can't be read, and texts that would make speech wrong.
    """
    findings = locale_findings(chart)
    errors = [finding.problem for finding in findings if finding.is_error]
    if errors:
        raise DefinitionError(chart.name, errors)
    by_file: dict[Path, list[LocaleFinding]] = {}
    for finding in findings:
        by_file.setdefault(finding.file, []).append(finding)
    for file, doubts in by_file.items():
        told = [f"{shown(doubt.key)} {doubt.message}" + (f" ({doubt.hint})" if doubt.hint else "") for doubt in doubts]
        rest = f"; and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
        yield f"{file}: {'; '.join(told[:_TOLD])}{rest}"


_TOLD = 5


def shown(key: Key) -> str:
    """A key as written in the file: `[events."ORDER"] label`."""
    *tables, last = key
    path = ".".join(table if number == 0 else f'"{table}"' for number, table in enumerate(tables))
    return f"[{path}] {last}" if tables else last


def _complete(entry: Entry, files: Sequence[LocaleFile]) -> bool:
    return any(texts_of(found_in(file.data, entry.key)) for file in files)


def _missing(chart: Chart, file: LocaleFile) -> Iterator[LocaleFinding]:
    for key in missing(chart, file.tag):
        yield LocaleFinding("missing", file.tag, file.path, key, "is not translated")


def findings_in(chart: Chart, file: LocaleFile) -> Iterator[LocaleFinding]:
    """The problems in one file."""
    known = {entry.key: entry for entry in entries(chart)}

    def finding(kind: Kind, key: Key, message: str, hint: str = "") -> LocaleFinding:
        return LocaleFinding(kind, file.tag, file.path, key, message, hint)

    def walk(table: Mapping[str, Any], above: Key) -> Iterator[LocaleFinding]:
        for name, value in table.items():
            key = (*above, name)
            if not above and name in _HEAD:
                if name == "register" and value not in REGISTERS:
                    yield finding("type", key, f"is {_told(value)}", f"it is one of {', '.join(REGISTERS)}")
                continue
            entry = known.get(key)
            if entry is not None:
                yield from text(entry, value)
            elif not above and name not in SECTIONS:
                yield finding("unknown", key, "is not a table of a locale file", did_you_mean(name, SECTIONS))
            elif isinstance(value, Mapping) and (not above or any(other[: len(key)] == key for other in known)):
                yield from walk(cast("Mapping[str, Any]", value), key)
            elif not file.inherited:
                here = {other[len(above)]: None for other in known if other[: len(above)] == above}
                yield finding("unknown", key, "is not a text of the machine", did_you_mean(name, list(here)))

    def text(entry: Entry, value: Any) -> Iterator[LocaleFinding]:
        listed = value if is_list(value) else [value]
        if not all(isinstance(item, str) for item in listed) or (is_list(value) and not entry.many):
            wanted = "a string, or a list of strings" if entry.many else "a string"
            yield finding("type", entry.key, f"is {_told(value)}; it should be {wanted}")
            return
        texts = texts_of(value)
        allowed, needed = _slots(chart, entry)
        used: set[str] = set()
        for one in texts:
            if lone_brace(one):
                yield finding("slots", entry.key, "has an unmatched brace", "write {field}")
            used |= {name for _, name, _ in slots_of(one) if name is not None}
        for name in sorted(used - allowed):
            hint = did_you_mean(name, sorted(allowed), otherwise="its slots are") if allowed else "it has none"
            plain = "" if is_field(name) else ", which is not a plain field"
            yield finding("slots", entry.key, f"has the slot {{{name}}}{plain}, which the original does not have", hint)
        for name in sorted(needed - used) if texts else ():
            yield finding("left-out", entry.key, f"leaves out the slot {{{name}}} of the original")

    yield from walk(file.data, ())


def _told(value: object) -> str:
    try:
        return f"{value!r:.40}"
    except ValueError:  # Python refuses to format very large integers
        return "a very long number"


def _slots(chart: Chart, entry: Entry) -> tuple[set[str], set[str]]:
    """The slots that a translation may have, and those that it should have."""
    own = {name for one in entry.texts for _, name, _ in slots_of(one) if name is not None}
    if entry.key[0] == "events" and entry.key[2] == "utterances":
        payload = chart.behaviour.payloads.get(entry.key[1])
        return {*own, *(payload.parameters if payload is not None else ())}, set()
    return own, own
