"""`load`: a machine from a file, a text or an object, in whichever form it was written."""

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
    """Read a machine: this package's own JSON, or XState's, of either version.

    A file's texts in other languages are looked for in the folder `locales` beside it.

    Nothing in it is run and nothing is fetched. `Imported.notes` says what was left out, renamed or assumed.

    Args:
        source: a path, a document's text or bytes, or the object that it decodes to. A string that begins as JSON does
            is a document, any other is a path.
        format: the form it is written in, where it can't be told by looking: `xstate4` reads arcs as version 4 does
            although no other word in the document is version 4's.

    Raises:
        DefinitionError: for what can't mean anything here, with its JSON path and why; all of it at once.
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
