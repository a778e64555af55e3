"""Finds the file and line of a machine's texts in its locale files."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    """Finds keys in locale files. Each file is read once."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._lines: dict[Path, Sequence[str]] = {}

    def of(self, key: Key, language: str) -> str:
        """The place of a language's text, '' if no file has it."""
        for file in files_for(self._chart, language):
            if texts_of(found_in(file.data, key)):
                return self.within(file.path, key)
        return ""

    def within(self, path: Path, key: Key) -> str:
        """The place of a key, such as `locales/de.toml:12`, or else of its table, or else the file alone."""
        line = self._line(path, key)
        place = str(Place(str(path), line))
        return place if line else place.removesuffix(":0")

    def _line(self, path: Path, key: Key) -> int:
        table: Key = ()
        header = 0
        for number, line in enumerate(self._read(path), 1):
            found = _HEADER.match(line)
            if found is not None:
                table = tuple("".join(part) for part in _PART.findall(found["path"]))
                header = number if table in (key, key[:-1]) else header
            elif (name := _KEY.match(line)) is not None and (*table, next(filter(None, name.groups()), "")) == key:
                return number
        return header

    def _read(self, path: Path) -> Sequence[str]:
        if path not in self._lines:
            try:
                self._lines[path] = path.read_text(encoding="utf-8").splitlines()
            except (OSError, UnicodeDecodeError):
                self._lines[path] = ()
        return self._lines[path]
