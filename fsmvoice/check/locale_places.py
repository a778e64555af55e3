"""Finds the file and line of a machine's texts in its locale files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from fsmvoice.machine.place import Place
from fsmvoice.model.chart import Chart
from fsmvoice.voice.authored import texts_of
from fsmvoice.voice.entries import Key
from fsmvoice.voice.wording import files_for, found_in

_HEADER = re.compile(r"^\s*\[(?P<path>.+)\]\s*(?:#.*)?$")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^.\s\"']+)")
_KEY = re.compile(r"^\s*(?:\"([^\"]*)\"|'([^']*)'|([\w-]+))\s*=")


class LocalePlaces:
    """Finds keys in locale files, each of which is read once."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._lines: dict[Path, Mapping[Key, int]] = {}

    def of(self, key: Key, language: str) -> str:
        """Where the text of a language is; '' if no file has it."""
        for file in files_for(self._chart, language):
            if texts_of(found_in(file.data, key)):
                return self.within(file.path, key)
        return ""

    def within(self, path: Path, key: Key) -> str:
        """`locales/de.toml:12` for a key; the line of its table, or only the file, if no more is found."""
        if path not in self._lines:
            self._lines[path] = dict(_lines(path))
        lines = self._lines[path]
        line = lines.get(key) or lines.get(key[:-1]) or 0
        place = str(Place(str(path), line))
        return place if line else place.removesuffix(":0")


def _lines(path: Path) -> Iterator[tuple[Key, int]]:
    """The lines of the tables and keys of a file."""
    try:
        written = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    table: Key = ()
    for number, line in enumerate(written, 1):
        found = _HEADER.match(line)
        if found is not None:
            table = tuple("".join(part) for part in _PART.findall(found["path"]))
            yield table, number
        elif (name := _KEY.match(line)) is not None:
            yield (*table, next(filter(None, name.groups()), "")), number
