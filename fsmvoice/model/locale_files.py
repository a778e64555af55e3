"""The locale files of a machine: the texts it has in other languages, in TOML files beside its own."""

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

_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


class LocaleFile(NamedTuple):
    """One file: the texts of a machine in the language `tag`."""

    tag: str
    path: Path
    data: Mapping[str, Any]
    inherited: bool = False
    """Whether it is the file of a machine that this one derives from."""


class LocaleFolder(NamedTuple):
    """Where files are looked for: `<machine id>.<tag>.toml`, then `<tag>.toml` if it names no other machine."""

    path: Path
    machine_id: str | None


class LocaleFiles:
    """The locale files of one machine, read when they are first asked for.

    Args:
        folders: where they are, the nearest first: a class's own, then its bases'.
    """

    folders: tuple[LocaleFolder, ...]

    def __init__(self, folders: Sequence[LocaleFolder]) -> None:
        self.folders = tuple(folders)

    @cached_property
    def files(self) -> tuple[LocaleFile, ...]:
        """All of them, the nearest first.

        Raises:
            DefinitionError: for files that can't be read, all at once.
        """
        problems: list[Problem] = []
        found = [
            file._replace(inherited=number > 0)
            for number, folder in enumerate(self.folders)
            for file in _files_in(folder, problems)
        ]
        if problems:
            raise DefinitionError("locale files", problems)
        return tuple(found)

    @property
    def tags(self) -> tuple[str, ...]:
        """The languages that there are files of."""
        return tuple(dict.fromkeys(file.tag for file in self.files))


def _files_in(folder: LocaleFolder, problems: list[Problem]) -> Iterator[LocaleFile]:
    prefix = f"{folder.machine_id}." if folder.machine_id else ""
    try:
        names = sorted(path.name for path in folder.path.iterdir() if path.suffix == ".toml")
    except OSError:  # no folder: the machine speaks one language
        return
    own = [(name.removeprefix(prefix), name) for name in names if prefix and name.startswith(prefix)]
    seen: set[str] = set()
    for rest, name in [*own, *((name, name) for name in names)]:
        tag = rest.removesuffix(".toml")
        if not _TAG.fullmatch(tag) or tag in seen:
            continue
        data = read_locale_file(folder.path / name, problems)
        if data is None or data.get("machine") not in (None, folder.machine_id):
            continue
        seen.add(tag)
        yield LocaleFile(tag, folder.path / name, data)


def read_locale_file(path: Path, problems: list[Problem]) -> Mapping[str, Any] | None:
    """The tables of a file; None, and a problem, if it can't be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            problems.append(Problem(str(path), "is too long", f"at most {MAX_BYTES:,} bytes are read"))
            return None
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), f"is no TOML: {error}", 'a text stands in quotes: label = "…"'))
    except OSError as error:
        problems.append(Problem(str(path), f"can't be read: {error.strerror}"))
    return None
