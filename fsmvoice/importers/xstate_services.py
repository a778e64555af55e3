"""The services that an XState document invokes: named ones, functions, and version 4's activities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fsmvoice.importers.xstate_arcs import Arcs, Placed, Spot, with_kept
from fsmvoice.importers.xstate_dialect import INVOKE_KEYS, function_in, listed, plain
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import Names
from fsmvoice.model.shapes import is_list, is_object

_CHILD = "a machine invoked by a machine is not supported"
_INSTEAD = "nest its states in this one, or give a service that runs it and returns its output"


class Services:
    """Reads `invoke` and `activities`."""

    findings: Findings
    names: Names
    arcs: Arcs

    def __init__(self, findings: Findings, names: Names, arcs: Arcs) -> None:
        self.findings, self.names, self.arcs = findings, names, arcs

    def services(
        self,
        raw: Mapping[str, Any],
        spot: Spot,
        ends: Mapping[str, Mapping[str, list[Placed]]],
        remember: Callable[[str, list[Placed]], None],
    ) -> list[dict[str, Any]]:
        """The services of one state. `ends` holds, by service id, the arcs that a definition keeps in `on`."""
        found: list[dict[str, Any]] = []
        invoked = listed(raw.get("invoke"))
        many = is_list(raw.get("invoke"))
        for number, service in enumerate(invoked):
            at = f"{spot.where}.invoke" + (f"[{number}]" if many else "")
            ours = f"{spot.where}.invoke" + (f"[{number}]" if len(invoked) > 1 else "")
            read = self._service(service, at, spot)
            if read is None:
                continue
            for key in ("onDone", "onError"):
                placed = [*ends.get(str(read.get("id")), {}).get(key, [])]
                if is_object(service) and service.get(key) is not None:
                    source = read["src"] if isinstance(read["src"], str) else "service"
                    placed += self.arcs.arcs(service[key], f"{at}.{key}", spot, f"{source} {key}")
                if placed:
                    remember(f"{ours}.{key}", placed)
                    read[key] = [item.arc for item in placed]
            found.append(read)
        for number, activity in enumerate(listed(raw.get("activities"))):
            read = self._activity(activity, f"{spot.where}.activities[{number}]", spot)
            if read is not None:
                found.append(read)
        return found

    def _service(self, raw: Any, where: str, spot: Spot) -> dict[str, Any] | None:
        service = {"src": raw} if isinstance(raw, str) or function_in(raw) is not None else raw
        if not is_object(service):
            self.findings.refuse(where, "is not a service", 'write {"src": name}')
            return None
        own = service["id"] if isinstance(service.get("id"), str) else None
        name, given = self._source(service.get("src"), f"{where}.src", own, spot)
        if name is None:
            return None
        read: dict[str, Any] = {"src": name}
        if own is not None:
            read["id"] = own
        kept = {key: value for key, value in service.items() if key not in INVOKE_KEYS}
        for key in ("onSnapshot", "systemId", "description"):
            if service.get(key) is not None:
                kept[key] = service[key]
        if service.get("autoForward") is True:
            kept["autoForward"] = True
        data = service.get("input") if service.get("input") is not None else service.get("data", given)
        if data is not None and plain(data):
            read["input"] = data
        elif data is not None:
            function = function_in(data)
            what = f"is worked out by a function{f' {function!r}' if function else ''}; the service has to"
            self.findings.note(f"{where}.input", f"what {name!r} begins with {what}")
            if function is None:
                kept["input"] = data
        if isinstance(service.get("onRestart"), str):
            read["onRestart"] = service["onRestart"]
        meta = with_kept(self.findings, service.get("meta"), kept, where, INVOKE_KEYS)
        if meta is not None:
            read["meta"] = meta
        return read

    def _source(self, source: Any, where: str, own: str | None, spot: Spot) -> tuple[str | None, Any]:
        """The name of a service and, in version 4, the input beside it. The name is None if it was refused."""
        if isinstance(source, str) and source:
            return source, None
        function = function_in(source)
        if function is not None and function.startswith("machine:"):
            self.findings.refuse(where, _CHILD, _INSTEAD)
            return None, None
        if function is not None:
            name = function or self.findings.fresh("service", own or spot.about)
            self.findings.note(where, f"a function; give it as the service {name!r}")
            return name, None
        if is_object(source):
            config = source.get("config")
            inner = config if is_object(config) else source
            if is_object(inner.get("states")):
                self.findings.refuse(where, _CHILD, _INSTEAD)
                return None, None
            if isinstance(source.get("type"), str) and source["type"]:
                beside = {key: value for key, value in source.items() if key != "type"}
                return str(source["type"]), beside or None
            if not source or "transition" in source or "start" in source or "config" in source:
                name = self.findings.fresh("service", own or spot.about)
                self.findings.note(where, f"a service written in place; give it as the service {name!r}")
                return name, None
        self.findings.refuse(where, "is not a name of a service", 'write {"src": name}')
        return None, None

    def _activity(self, raw: Any, where: str, spot: Spot) -> dict[str, Any] | None:
        """Version 4's activity: something that runs while a state is active."""
        action = self.names.action(raw, where, f"activity {spot.about}")
        if action is None:
            return None
        name = action if isinstance(action, str) else action["type"]
        self.findings.note(where, f"the activity {name!r} is a service; it runs while its state is active")
        service: dict[str, Any] = {"src": name, "id": name}
        if not isinstance(action, str):
            service["input"] = action["params"]
        return service
