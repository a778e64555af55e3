"""Finding the locale files of a machine class: in the folder `locales` beside the file that defines it."""

from __future__ import annotations

import sys
from pathlib import Path

from fsmvoice.machine.definition import Definition
from fsmvoice.model.locale_files import FOLDER, LocaleFiles, LocaleFolder


def locale_files(cls: type, machine_id: str) -> LocaleFiles | None:
    """The locale files of a class, followed by those of its base machines. None if it is not defined in a file."""
    found: dict[LocaleFolder, None] = {}
    for base in cls.__mro__:
        definition = base.__dict__.get("__fsmvoice_definition__")
        if base is not cls and not isinstance(definition, Definition):
            continue
        module = sys.modules.get(base.__module__)
        file = getattr(module, "__file__", None)
        own_id = definition.config.id if isinstance(definition, Definition) else machine_id
        if isinstance(file, str):
            found[LocaleFolder(Path(file).parent / FOLDER, own_id or None)] = None
    return LocaleFiles(list(found)) if found else None
