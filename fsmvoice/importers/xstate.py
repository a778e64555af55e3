"""Reading XState's JSON of version 5 or 4: the argument of `createMachine`, or `JSON.stringify(machine)`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.importers.collector import collector_paused
from fsmvoice.importers.xstate_dialect import Version, is_definition, version_of
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_older import note_differences
from fsmvoice.importers.xstate_rewritten import rewrite_arcs
from fsmvoice.importers.xstate_states import States
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.imported import Imported
from fsmvoice.model.parse import parse_config
from fsmvoice.model.problems import problems_of
from fsmvoice.model.shapes import is_list, is_object

MAX_BYTES = 10_000_000
MAX_NESTING = 200
"""How deeply objects and lists may be nested; states have a lower limit, `MAX_DEPTH`."""


def from_xstate(
    document: Mapping[str, Any] | str | bytes, *, version: Version | None = None, subject: str | None = None
) -> Imported:
    """Read a machine written for or by XState. Nothing in it is run or fetched.

    JSON has no functions: one that an export wrote as `{"__fn": "name"}` becomes a name, and `notes` lists the
    functions to provide.

    Args:
        version: the XState version, which matters because a version 4 transition to its own state exits and re-enters
            it. By default it is detected from the keys of the document, or else 5.
        subject: the name of the document in errors, such as a file name.

    Raises:
        DefinitionError: listing what has no meaning here, with JSON paths.
    """
    with collector_paused(len(document) if isinstance(document, str | bytes) else 0):
        return _read(_decoded(document, subject or "the document"), version, subject)


def _read(data: Mapping[str, Any], version: Version | None, subject: str | None) -> Imported:
    name = subject or (f"machine {data['id']!r}" if isinstance(data.get("id"), str) else "the document")
    findings = Findings(data)
    written = version or version_of(data) or 5
    delimiter = data.get("delimiter")
    dot = delimiter if isinstance(delimiter, str) and delimiter else "."
    definition = is_definition(data)
    if written == 4:
        findings.note("$", "read as XState version 4")
    if definition and written == 5:
        lacking = "the context, always transitions and the targets of history"
        findings.note("$", f"a machine's definition; it does not say {lacking}")
    machine = States(findings, written, dot, definition=definition).machine(data)
    try:
        config = parse_config(FsmConfig.model_validate(machine), name)
    except ValidationError as error:
        found = problems_of(error, machine)
    except DefinitionError as error:
        found = list(error.problems)
    else:
        if not findings.problems:
            if written == 4:
                if rewrite_arcs(config, machine, findings):
                    config = parse_config(FsmConfig.model_validate(machine), name)
                note_differences(config, findings)
            return Imported(config, findings.actions, tuple(findings.notes), findings.guards)
        found = []
    raise DefinitionError(name, [*findings.problems, *(findings.moved(problem) for problem in found)])


def _decoded(document: Any, name: str) -> Mapping[str, Any]:
    data = document
    if isinstance(document, str | bytes):
        size = len(document)
        if size > MAX_BYTES:
            raise DefinitionError(name, [Problem("$", f"has {size:,} bytes", f"at most {MAX_BYTES:,} are read")])
        try:
            text = document.decode("utf-8-sig") if isinstance(document, bytes) else document.removeprefix("\ufeff")
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DefinitionError(name, [Problem("$", f"is not JSON: {error}")]) from None
    if not is_object(data):
        hint = 'a machine is an object: {"initial": ..., "states": {...}}'
        raise DefinitionError(name, [Problem("$", f"is {type(data).__name__}", hint)])
    if _nesting(data) > MAX_NESTING:
        raise DefinitionError(name, [Problem("$", f"is nested deeper than {MAX_NESTING}")])
    return data


def _nesting(document: Any) -> int:
    depth, layer = 0, [document]
    while layer and depth <= MAX_NESTING:
        depth += 1
        layer = [
            item
            for value in layer
            for item in (value.values() if is_object(value) else value if is_list(value) else ())
            if is_object(item) or is_list(item)
        ]
    return depth
