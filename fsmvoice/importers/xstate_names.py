"""Reading actions and guards of an XState document: names, and functions that could not be exported."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from fsmvoice.importers.xstate_dialect import function_in, listed, plain
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.model.behaviour import InState
from fsmvoice.model.shapes import is_list, is_object

log: logging.Logger = logging.getLogger("fsmvoice")

_NAMED_FORM = 'write its name, or {"type": name, "params": {...}}'


def _assign(params: Mapping[str, Any]) -> dict[str, Any]:
    return dict(params)


def raise_event(params: Mapping[str, Any], queue: Callable[[Mapping[str, Any]], None]) -> None:
    """XState's `raise` of an event that is data."""
    queue(params["event"])


def _log(params: Mapping[str, Any]) -> None:
    log.info("%s", params["message"])


class Names:
    """Reads actions and guards. In its methods, `about` describes their place, to generate a name for those without."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def actions(self, raw: Any, where: str, about: str) -> list[Any]:
        """The actions of a list, or a single one."""
        many = is_list(raw)
        found = [
            self.action(item, f"{where}[{number}]" if many else where, about) for number, item in enumerate(listed(raw))
        ]
        return [item for item in found if item is not None]

    def action(self, raw: Any, where: str, about: str) -> Any:
        """An action as a name with its params, or None if it was refused."""
        unwritten = raw in (None, {}, {"type": ""})  # what JSON.stringify writes for a function
        function = "" if unwritten else function_in(raw)
        if function is not None:
            return self._function(function, "action", where, about)
        if isinstance(raw, str) and raw:
            return raw
        if is_object(raw) and isinstance(raw.get("type"), str) and raw["type"]:
            kind = str(raw["type"])
            if kind.startswith("xstate."):
                return self._built_in(kind.removeprefix("xstate."), raw, where, about)
            return self._named(raw, where, "exec")
        self.findings.refuse(where, f"{_shown(raw)} is not an action", _NAMED_FORM)
        return None

    def guard(self, raw: Any, where: str, about: str) -> Any:
        """A guard as a name with its params, or None if it was refused."""
        function = function_in(raw)
        if function is not None:
            return self._function(function, "guard", where, about)
        if isinstance(raw, str) and raw:
            return raw
        if is_object(raw) and isinstance(raw.get("type"), str) and raw["type"]:
            kind = str(raw["type"])
            if kind == "xstate.guard":
                return self._v4_guard(raw, where, about)
            if kind == "xstate.stateIn":
                return self._state_in(raw, where)
            if kind.startswith("xstate."):
                return self._combined(raw, where, about)
            return self._named(raw, where, "predicate", "name")
        self.findings.refuse(where, f"{_shown(raw)} is not a guard", _NAMED_FORM)
        return None

    def in_state(self, reference: str) -> str:
        """The name of a guard that holds while a state is active. It comes with the import."""
        name = f"in:{reference}"
        self.findings.guards[name] = InState(reference)
        return name

    def both(self, guard: Any, reference: str) -> Any:
        """A guard that holds while a state is active and `guard` holds."""
        named = {"type": guard} if isinstance(guard, str) else guard
        name = f"{named['type']} in:{reference}"
        self.findings.guards[name] = InState(reference, also=named["type"])
        return {**named, "type": name}

    def _function(self, name: str, role: str, where: str, about: str) -> str:
        if name:
            self.findings.note(where, f"a function; give it as the {role} {name!r}")
            return name
        made = self.findings.fresh(role, about)
        self.findings.note(where, f"a function without a name; give it as the {role} {made!r}")
        return made

    def _named(self, raw: Mapping[str, Any], where: str, *dropped: str) -> Any:
        """Read `{type, params}`, or version 4's form with the params beside `type`."""
        name, params = str(raw["type"]), raw.get("params")
        beside = {key: value for key, value in raw.items() if key not in ("type", "params", *dropped)}
        if params is not None and not plain(params):
            by = "worked out by a function"
            self.findings.note(where, f"the params of {name!r} ({json.dumps(params)}) are {by}; {name!r} has to")
            params = None
        if params is not None and not is_object(params):
            self.findings.note(where, f"the params of {name!r} are {_shown(params)}; they are given as 'value'")
            params = {"value": params}
        if params is None and not beside:
            return name
        return {"type": name, "params": {**beside, **(params or {})}}

    def _built_in(self, kind: str, raw: Mapping[str, Any], where: str, about: str) -> Any:
        """One of XState's own actions. If its arguments are data it comes with the import; else it needs a function."""
        arguments = listed(raw.get("args"))
        first = arguments[0] if arguments else raw.get({"assign": "assignment", "log": "expr"}.get(kind, "event"))
        options: Any = arguments[1] if len(arguments) > 1 else raw
        addressed = is_object(options) and any(options.get(key) is not None for key in ("delay", "to"))
        if kind == "assign" and is_object(first) and first and plain(first):
            return {"type": self.findings.action("assign", _assign), "params": dict(first)}
        if kind in ("raise", "send") and not addressed and plain(first):
            event = {"type": first} if isinstance(first, str) else first
            if is_object(event) and isinstance(event.get("type"), str):
                if kind == "send":
                    self.findings.note(where, f"sends {event['type']!r} to the machine itself; it is raised instead")
                return {"type": self.findings.action("raise", raise_event), "params": {"event": dict(event)}}
        if kind == "log" and isinstance(first, str):
            return {"type": self.findings.action("log", _log), "params": {"message": first}}
        made = self.findings.fresh(kind, *_said(first), about)
        given = {key: item for key, item in raw.items() if key != "type"}
        said = f" ({json.dumps(given.get('args', given), ensure_ascii=False, default=str)})" if given else ""
        what = f"XState's {kind}{said}, with what a document can't hold"
        self.findings.note(where, f"{what}; give it as the action {made!r}")
        return made

    def _v4_guard(self, raw: Mapping[str, Any], where: str, about: str) -> Any:
        name = raw.get("name")
        return self._function(name if isinstance(name, str) and name != "cond" else "", "guard", where, about)

    def _state_in(self, raw: Mapping[str, Any], where: str) -> Any:
        arguments = listed(raw.get("args", raw.get("params")))
        if len(arguments) == 1 and isinstance(arguments[0], str):
            return self.in_state(arguments[0])
        self.findings.refuse(where, "stateIn names no state", 'write {"type": "xstate.stateIn", "args": ["#id"]}')
        return None

    def _combined(self, raw: Mapping[str, Any], where: str, about: str) -> str:
        kind = str(raw["type"]).removeprefix("xstate.")
        parts = [part for argument in listed(raw.get("args")) for part in listed(argument)]
        names = [part if isinstance(part, str) else function_in(part) or "" for part in parts]
        if all(names) and names:
            name = f"not {names[0]}" if kind == "not" else f" {kind} ".join(names)
            self.findings.note(where, f"a combination of guards; give it as the guard {name!r}")
            return name
        return self._function("", "guard", where, f"{kind} {about}")


def _said(argument: Any) -> list[str]:
    """The parts of an argument to use in a generated name."""
    if isinstance(argument, str):
        return [argument]
    if is_object(argument):
        kind = argument.get("type")
        fields = [key for key in argument if key != "type" and not key.startswith("__")]
        return [kind] if isinstance(kind, str) else fields[:3]
    return []


def _shown(value: Any) -> str:
    return "an object" if is_object(value) else "a list" if is_list(value) else repr(value)
