"""Writing a locale file for a translator: every text under its key, with the original in a comment above it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsmvoice.model.chart import Chart
from fsmvoice.model.locale_files import LocaleFile
from fsmvoice.model.shapes import is_object
from fsmvoice.voice.authored import own_locale, texts_of
from fsmvoice.voice.entries import Entry, Key, entries
from fsmvoice.voice.languages import DEFAULT, normal
from fsmvoice.voice.locales import shown
from fsmvoice.voice.wording import found_in

MAX_COMMENT = 200
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^\s*\[(?!\[)(?P<path>.+)\]\s*(?:#.*)?$")


class Unmergeable(ValueError):
    """Missing texts can't be inserted into a file. The message contains them."""


@dataclass(frozen=True, slots=True)
class Stub:
    """A locale file to be written.

    Attributes:
        text: the whole file.
        added: the keys that are new in it.
        stale: the keys in it that the machine no longer has.
        changed: the keys whose original has changed since they were translated.
    """

    text: str
    added: tuple[Key, ...]
    stale: tuple[Key, ...] = ()
    changed: tuple[Key, ...] = ()


def new_stub(chart: Chart, tag: str) -> Stub:
    """A new file for a language, without any translation."""
    lines = [
        f"# The texts of {_on_one_line(chart.name)} in {normal(tag) or tag}; the original is {_original(chart)}.",
        "# An empty text is not translated yet; the original is used. Don't translate what is in braces: {drink}.",
    ]
    if chart.config.id:
        lines.append(f"machine = {_quoted(chart.config.id)}")
    wanted = [entry for entry in entries(chart) if entry.texts]
    for table, inside in _by_table(wanted).items():
        lines += ["", f"[{_path(table)}]"]
        for entry in inside:
            lines += _lines(entry)
    return Stub("\n".join(lines) + "\n", tuple(entry.key for entry in wanted))


def merged_stub(chart: Chart, file: LocaleFile, text: str, stale: Sequence[Key]) -> Stub:
    """The current `text` of a file with missing texts inserted, and otherwise unchanged.

    Raises:
        Unmergeable: if the way the file is written makes that impossible.
    """
    absent = [entry for entry in entries(chart) if entry.texts and found_in(file.data, entry.key) is None]
    lines = _rows(text)
    for table, inside in _by_table(absent).items():
        added = [line for entry in inside for line in _lines(entry)]
        at = _end_of(lines, table)
        if at is None:
            lines += ["", f"[{_path(table)}]", *added]
        else:
            lines[at:at] = added
    merged = "\n".join(lines) + "\n"
    if not _holds(merged, file.data, absent):
        rest = "\n".join(f"{shown(entry.key)} = {_value(entry)}" for entry in absent)
        raise Unmergeable(f"{file.path} can't be added to; add these lines yourself:\n{rest}")
    return Stub(merged, tuple(entry.key for entry in absent), tuple(stale), tuple(_changed(chart, file, text)))


def _by_table(found: Sequence[Entry]) -> dict[Key, list[Entry]]:
    tables: dict[Key, list[Entry]] = {}
    for entry in found:
        tables.setdefault(entry.key[:-1], []).append(entry)
    return tables


def _lines(entry: Entry) -> Iterator[str]:
    yield from (f"# {text}" for text in map(_on_one_line, entry.texts))
    yield f"{_part(entry.key[-1])} = {_value(entry)}"


def _value(entry: Entry) -> str:
    if not entry.many or (len(entry.texts) == 1 and entry.key[-1] != "utterances"):
        return '""'
    empty = ", ".join(['""'] * len(entry.texts))
    return "[]" if entry.key[-1] == "utterances" else f"[{empty}]"


def _end_of(lines: Sequence[str], table: Key) -> int | None:
    """The line number after the last entry of a table; None if there is no such table."""
    start = next((n for n, line in enumerate(lines) if _table_of(line) == table), None)
    if start is None:
        return None
    end = next((n for n in range(start + 1, len(lines)) if _table_of(lines[n]) is not None), len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _table_of(line: str) -> Key | None:
    """The table whose header a line is; None for any other line."""
    if _HEADER.match(line) is None:
        return None
    try:
        here: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    key: list[str] = []
    while here:
        name, here = next(iter(here.items()))
        key.append(name)
    return tuple(key)


def _holds(text: str, before: Mapping[str, Any], absent: Sequence[Entry]) -> bool:
    """Whether a merged file contains exactly the old entries and the added ones."""
    try:
        data: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    for entry in absent:
        *tables, name = entry.key
        here: Any = data
        for table in tables:
            here = here.get(table, {})
        if name not in here:
            return False
        del here[name]
    return _without_empty(data) == _without_empty(before)


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in data.items():
        inner = _without_empty(value) if is_object(value) else value
        if inner != {}:
            kept[name] = inner
    return kept


def _changed(chart: Chart, file: LocaleFile, text: str) -> Iterator[Key]:
    """The translated texts whose comment differs from the current original."""
    originals = _originals(text)
    for entry in entries(chart):
        noted = originals.get(entry.key)
        if noted and texts_of(found_in(file.data, entry.key)) and noted != [_on_one_line(one) for one in entry.texts]:
            yield entry.key


def _originals(text: str) -> dict[Key, list[str]]:
    """The comments directly above each key."""
    found: dict[Key, list[str]] = {}
    table: Key = ()
    notes: list[str] = []
    for line in _rows(text):
        start = _table_of(line)
        if start is not None:
            table, notes = start, []
        elif line.startswith("# "):
            notes.append(line[2:])
        elif "=" in line and not line.startswith((" ", "\t")):
            name = line.partition("=")[0].strip().strip("\"'")
            found[*table, name] = notes
            notes = []
        elif not line.strip():
            notes = []
    return found


def _rows(text: str) -> list[str]:
    """The lines of a file as TOML counts them: U+2028 and the like don't end a line."""
    return text.removesuffix("\n").replace("\r\n", "\n").split("\n") if text else []


def _original(chart: Chart) -> str:
    return normal(own_locale(chart.config)) or DEFAULT


def _path(table: Key) -> str:
    return ".".join(part if number == 0 else _quoted(part) for number, part in enumerate(table))


def _part(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    # JSON's escapes are valid TOML, except surrogate pairs (hence ensure_ascii=False); JSON does not escape DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _on_one_line(text: str) -> str:
    """`text` as a comment: without control characters, which TOML does not allow there, and truncated."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[:MAX_COMMENT]).split())
    return line if len(text) <= MAX_COMMENT else f"{line}…"
