"""`load`: read a machine from a file, text or object in any supported format."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.importers.xstate import MAX_BYTES, from_xstate
from fsmvoice.model.imported import Imported
from fsmvoice.model.locale_files import FOLDER

Format: TypeAlias = Literal["xstate", "xstate4", "xstate5"]
Document: TypeAlias = Mapping[str, Any] | str | bytes
_Reader: TypeAlias = Callable[[Document, str | None], Imported]

_READERS: Mapping[Format, _Reader] = {
    "xstate": lambda document, subject: from_xstate(document, subject=subject),
    "xstate4": lambda document, subject: from_xstate(document, version=4, subject=subject),
    "xstate5": lambda document, subject: from_xstate(document, version=5, subject=subject),
}


def load(source: Path | Document, format: Format | None = None) -> Imported:
    """Read a machine from this package's JSON, or from XState's JSON of version 4 or 5.

    Texts in other languages are read from the folder `locales` beside a file. Nothing in the document is run or
    fetched. `Imported.notes` lists what was left out, renamed or assumed.

    Args:
        source: a path, the text or bytes of a document, or the decoded object. A string that starts like JSON is a
            document, any other string is a path.
        format: the format, if it can't be detected: `xstate4` reads transitions as version 4 does even if nothing else
            in the document is specific to version 4.

    Raises:
        DefinitionError: listing what has no meaning here, with JSON paths.
        OSError: if the file can't be read.
    """
    read = _READERS[format or "xstate"]
    if isinstance(source, Path):
        return _from_file(source, read)
    if isinstance(source, str) and "\n" not in source and source.lstrip("\ufeff \t\r")[:1] not in ("{", "["):
        return _from_file(Path(source), read)
    return read(source, None)


def _from_file(path: Path, read: _Reader) -> Imported:
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise DefinitionError(str(path), [Problem("$", f"has {size:,} bytes", f"at most {MAX_BYTES:,} are read")])
    return dataclasses.replace(read(path.read_bytes(), str(path)), locales=path.parent / FOLDER)
