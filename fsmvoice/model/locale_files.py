"""The locale files of a machine: TOML files with its texts in other languages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from fsmvoice.errors import DefinitionError, Problem

MAX_BYTES = 1024 * 1024
FOLDER = "locales"

_DEEP = re.compile(r"""(?<![\w"'-])(?:[\w"'-]+\s*\.\s*){32}""")
"""Keys with 32 or more parts. No text has one, and tomllib needs quadratic time for them."""
_NESTING = "a text is at most three tables deep"
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


class LocaleFile(NamedTuple):
    """The texts of a machine in the language `tag`, from one file."""

    tag: str
    path: Path
    data: Mapping[str, Any]
    inherited: bool = False
    """Whether the file belongs to a base class of the machine."""


class LocaleFolder(NamedTuple):
    """Where to look for files: `<machine id>.<tag>.toml`, then `<tag>.toml` unless it names another machine."""

    path: Path
    machine_id: str | None


class _Candidate(NamedTuple):
    """A file whose name is a language tag. Only its content shows whether it belongs to the machine."""

    tag: str
    path: Path
    machine_id: str | None
    inherited: bool


class LocaleFiles:
    """The locale files of one machine. Each file is read on first use.

    Args:
        folders: where they are, nearest first: the class's own, then those of its bases.
    """

    folders: tuple[LocaleFolder, ...]

    def __init__(self, folders: Sequence[LocaleFolder]) -> None:
        self.folders = tuple(folders)
        self._read: dict[Path, Mapping[str, Any]] = {}

    @cached_property
    def files(self) -> tuple[LocaleFile, ...]:
        """All files, nearest first.

        Raises:
            DefinitionError: listing every file that can't be read.
        """
        return self._files(self._candidates)

    def of(self, tag: str) -> tuple[LocaleFile, ...]:
        """The files for exactly this tag, ignoring case and `_` versus `-`.

        Raises:
            DefinitionError: listing every file that can't be read.
        """
        plain = _plain(tag)
        return self._files([candidate for candidate in self._candidates if _plain(candidate.tag) == plain])

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The languages that have files."""
        return tuple(dict.fromkeys(file.tag for file in self.files))

    @cached_property
    def _candidates(self) -> tuple[_Candidate, ...]:
        return tuple(
            candidate._replace(inherited=number > 0)
            for number, folder in enumerate(self.folders)
            for candidate in _candidates_in(folder)
        )

    def _files(self, candidates: Sequence[_Candidate]) -> tuple[LocaleFile, ...]:
        problems: list[Problem] = []
        found: list[LocaleFile] = []
        taken: set[tuple[Path, str | None, str]] = set()
        for it in candidates:
            place = (it.path.parent, it.machine_id, _plain(it.tag))
            if place in taken:
                continue
            data = self._read.get(it.path)
            if data is None:
                data = read_locale_file(it.path, problems)
            if data is None:
                continue
            self._read[it.path] = data
            if data.get("machine") in (None, it.machine_id):
                taken.add(place)
                found.append(LocaleFile(it.tag, it.path, data, it.inherited))
        if problems:
            raise DefinitionError("locale files", list(dict.fromkeys(problems)))
        return tuple(found)


def _candidates_in(folder: LocaleFolder) -> Iterator[_Candidate]:
    """The candidates in a folder, those with the machine's id in their name first."""
    try:
        names = sorted(path.name for path in folder.path.iterdir() if path.suffix == ".toml")
    except OSError:  # no folder: the machine speaks one language
        return
    prefix = f"{folder.machine_id}." if folder.machine_id else ""
    own = [(name.removeprefix(prefix), name) for name in names if prefix and name.startswith(prefix)]
    for rest, name in [*own, *((name, name) for name in names)]:
        tag = rest.removesuffix(".toml")
        if _TAG.fullmatch(tag):
            yield _Candidate(tag, folder.path / name, folder.machine_id, inherited=False)


def _plain(tag: str) -> str:
    return tag.replace("_", "-").lower()


def read_locale_file(path: Path, problems: list[Problem]) -> Mapping[str, Any] | None:
    """The tables of a file. If it can't be read, None, and a problem is appended."""
    try:
        if not (path.is_file() or path.is_dir()) and path.stat():  # a pipe or a device may never end
            problems.append(Problem(str(path), "is not a regular file"))
            return None
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            problems.append(Problem(str(path), "is too long", f"at most {MAX_BYTES:,} bytes are read"))
            return None
        text = data.decode("utf-8-sig")
        if _DEEP.search(text) is None:
            return tomllib.loads(text)
        problems.append(Problem(str(path), "has a key that is too deep", _NESTING))
    except RecursionError:
        problems.append(Problem(str(path), "has a value that is too deep", _NESTING))
    except ValueError as error:
        problems.append(Problem(str(path), f"is not valid TOML: {error}", 'texts are quoted: label = "…"'))
    except OSError as error:
        problems.append(Problem(str(path), f"can't be read: {error.strerror}"))
    return None
