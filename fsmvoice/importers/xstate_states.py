"""Reading the states of an XState document, of either version and dialect, as those of an `FsmConfig`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fsmvoice.importers.xstate_arcs import Arcs, Placed, Spot, with_kept
from fsmvoice.importers.xstate_derived import Derived, Slot, timers_alone, without_timers
from fsmvoice.importers.xstate_dialect import DERIVED, STATE_KEYS, Version, function_in, listed, plain
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import Names
from fsmvoice.importers.xstate_services import Services
from fsmvoice.model.forms import step
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.model.tree import MAX_DEPTH

_ARCS = frozenset({"on", "always", "after", "onDone"})
_CODE = frozenset({"entry", "exit", "onEntry", "onExit", "invoke", "activities"})
_FACTS = frozenset(
    {"id", "final", "description", "type", "parallel", "history", "target", "tags", "initial", "key", "output", "data"}
    | {"context"}
)
_OF_INITIAL = frozenset({"target", "actions", "source", "eventType", "reenter"})


class States:
    """Reads states from the root down."""

    findings: Findings
    version: Version
    delimiter: str
    definition: bool
    names: Names
    understood: frozenset[str]
    understood_of_root: frozenset[str]
    arcs: Arcs
    services: Services

    def __init__(self, findings: Findings, version: Version, delimiter: str, *, definition: bool) -> None:
        self.findings, self.version, self.definition = findings, version, definition
        self.names = Names(findings)
        self.understood = STATE_KEYS - {"version"} if definition else STATE_KEYS - {"version", *DERIVED}
        self.understood_of_root = self.understood | {"key", "version"}
        self.arcs = Arcs(findings, self.names, version, delimiter, definition=definition)
        self.services = Services(findings, self.names, self.arcs)

    def machine(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The whole machine."""
        return self._state(document, Spot("$"), id=document.get("id") or document.get("key") or "(machine)")

    def _state(self, raw: Any, spot: Spot, id: Any = None) -> dict[str, Any]:
        where = spot.where
        if not is_object(raw) or function_in(raw) is not None:
            self.findings.refuse(where, "is not a state", "a state is an object; {} is one that does nothing")
            return {}
        if len(spot.keys) > MAX_DEPTH:
            self.findings.refuse(where, f"states are nested deeper than {MAX_DEPTH}")
            return {}
        state = self._facts(raw, spot)
        derived = Derived(raw, state.get("id") or id, definition=self.definition or self.version == 4)
        self._transitions(raw, state, spot, derived)
        self._code(raw, state, spot, derived)
        below = raw.get("states")
        if below and (state.get("type") == "final" or state.get("final") is True):
            state.pop("initial", None)
            state.setdefault("kept", {}).update({key: raw[key] for key in ("initial", "states") if key in raw})
        elif is_object(below):
            children = {key: self._state(child, spot.below(key), f"{id}.{key}") for key, child in below.items()}
            if children or not self.definition:
                state["states"] = children
        elif below is not None:
            self.findings.refuse(f"{where}.states", "is not an object", 'write {"idle": {}, ...}')
        ignored = self.understood if spot.keys else self.understood_of_root
        kept = {} if ignored.issuperset(raw) else {key: raw[key] for key in raw if key not in ignored}
        kept.update(state.pop("kept", {}))
        if kept or "meta" in raw:
            meta = with_kept(self.findings, raw.get("meta"), kept, where, STATE_KEYS)
            if meta is not None:
                state["meta"] = meta
        return state

    def _facts(self, raw: Mapping[str, Any], spot: Spot) -> dict[str, Any]:
        """The keys of a state that are neither transitions nor code."""
        kept: dict[str, Any] = {}
        state: dict[str, Any] = {}
        for key in ("id", "final", "description", *(() if spot.keys else ("version",))):
            if raw.get(key) is not None:
                state[key] = raw[key]
        if raw.get("type") is not None and not (self.definition and raw["type"] in ("atomic", "compound")):
            state["type"] = raw["type"]
        elif raw.get("parallel") is True:
            state["type"] = "parallel"
        if raw.get("history") not in (None, False):
            state["history"] = raw["history"]
        if raw.get("target") is not None:
            state["target"] = raw["target"]
        if listed(raw.get("tags")):
            state["tags"] = raw["tags"]
        self._initial(raw, state, spot)
        if not spot.keys and raw.get("id") is None and isinstance(raw.get("key"), str):
            state["id"] = raw["key"]  # version 4's id of a machine that has none
        output = "output" if raw.get("output") is not None else "data"
        if output == "output" and raw.get("data") is not None:
            kept["data"] = raw["data"]
        if raw.get(output) is not None:
            if plain(raw[output]) and (output == "output" or raw.get("type") == "final"):
                state["output"] = raw[output]
            else:
                kept[output] = raw[output]
        if raw.get("context") is not None:
            if not spot.keys and is_object(raw["context"]) and function_in(raw["context"]) is None:
                state["context"] = dict(raw["context"])
            else:
                kept["context"] = raw["context"]
        if not spot.keys or kept:
            state["kept"] = kept
        return state

    def _initial(self, raw: Mapping[str, Any], state: dict[str, Any], spot: Spot) -> None:
        initial, where = raw.get("initial"), f"{spot.where}.initial"
        if is_object(initial) and function_in(initial) is None:
            targets = listed(initial.get("target"))
            if not targets and self.definition:
                return
            for key in initial.keys() - _OF_INITIAL:
                self.findings.note(f"{where}{step(key)}", f"left out: {initial[key]!r} has no meaning here")
            said: dict[str, Any] = {"target": targets}
            actions = self.names.actions(initial.get("actions"), f"{where}.actions", f"{spot.about} initial")
            state["initial"] = {**said, "actions": actions} if actions else said
        elif is_list(initial):
            state["initial"] = list(initial)
        elif isinstance(initial, str):
            delimiter = self.arcs.delimiter
            state["initial"] = initial if delimiter == "." else initial.replace(delimiter, ".")
        elif initial is not None:
            self.findings.refuse(where, "is not a name of a state", "write the key of the state to start in")

    def _transitions(self, raw: Mapping[str, Any], state: dict[str, Any], spot: Spot, derived: Derived) -> None:
        """All transitions. A definition's `on` also contains those of `after`, `onDone` and services."""
        where = spot.where
        lists: dict[Slot, list[Placed]] = {}

        def add(slot: Slot, arcs: list[Placed]) -> None:
            lists.setdefault(slot, []).extend(arcs)

        if _ARCS.isdisjoint(raw):
            return
        for event, value, at in self._keyed(raw, "on", where, "event"):
            slot = derived.slot(event, value)
            if slot[0] == "on" and slot[1] != event:
                self.findings.note(at, f"the event is called {slot[1]!r} here")
            add(slot, self.arcs.arcs(value, at, spot, event or "always"))
        if raw.get("always") is not None:
            add(("always", ""), self.arcs.arcs(raw["always"], f"{where}.always", spot, "always"))
        for delay, value, at in self._keyed(raw, "after", where, "delay"):
            add(("after", delay), self.arcs.arcs(value, at, spot, f"after {delay}"))
        if raw.get("onDone") is not None:
            add(("onDone", ""), self.arcs.arcs(raw["onDone"], f"{where}.onDone", spot, "done"))
        for (key, name), placed in lists.items():
            if key in ("onDone", "onError") and name:
                derived.services.setdefault(name, {}).setdefault(key, []).extend(placed)
                continue
            if key == "kept":
                state.setdefault("kept", {}).setdefault("on", {})[name] = raw["on"][name]
                continue
            keyed = key in ("on", "after")
            self.remember(f"{where}.{key}{step(name) if keyed else ''}", placed)
            arcs = [item.arc for item in placed]
            if keyed:
                state.setdefault(key, {})[name] = arcs
            else:
                state[key] = arcs

    def remember(self, ours: str, placed: list[Placed]) -> None:
        """Record the original paths of arcs that have moved."""
        for number, item in enumerate(placed):
            at = f"{ours}[{number}]" if len(placed) > 1 else ours
            if at != item.where:
                self.findings.places[at] = item.where

    def _keyed(self, raw: Mapping[str, Any], key: str, where: str, label: str) -> Iterator[tuple[str, Any, str]]:
        """The entries of `on` or `after`: an object, or version 4's list of arcs with an `event` or `delay` each."""
        value = raw.get(key)
        if is_object(value) and function_in(value) is None:
            for name, arcs in value.items():
                yield name, arcs, f"{where}.{key}{step(name)}"
        elif is_list(value):
            for number, arc in enumerate(value):
                at = f"{where}.{key}[{number}]"
                said: Any = arc.get(label) if is_object(arc) else None
                rest = {name: item for name, item in arc.items() if name != label} if is_object(arc) else arc
                function = function_in(said)
                if isinstance(said, int | float) and not isinstance(said, bool):
                    yield f"{said:.15g}", rest, at
                elif isinstance(said, str):
                    yield said, rest, at
                elif function is not None:
                    made = function or self.findings.fresh(label, where.rpartition(".")[2])
                    self.findings.note(at, f"the {label} is worked out by a function; give it as {made!r}")
                    yield made, rest, at
                else:
                    self.findings.refuse(at, f"has no {label}", f'write {{"{label}": ..., "target": ...}}')
        elif value is not None:
            self.findings.refuse(f"{where}.{key}", "is not an object", f'write {{"{label}": transition}}')

    def _code(self, raw: Mapping[str, Any], state: dict[str, Any], spot: Spot, derived: Derived) -> None:
        """Entry and exit actions, and services."""
        if _CODE.isdisjoint(raw):
            return
        where = spot.where
        timers = derived.timers
        if self.definition and (alone := timers_alone(raw.get("entry"), raw.get("exit"))) > timers:
            self.findings.note(f"{where}.entry", "ends with what starts timers that lead nowhere; they are left out")
            timers = alone
        for key, older, call in (("entry", "onEntry", "xstate.raise"), ("exit", "onExit", "xstate.cancel")):
            found: list[Any] = []
            for name in (key, older):
                if raw.get(name) is not None:
                    actions = without_timers(raw[name], call, timers) if self.definition else raw[name]
                    found += self.names.actions(actions, f"{where}.{name}", f"{key} {spot.about}")
            if found or (listed(raw.get(key)) == [] and key in raw and not self.definition):
                state[key] = found
        services = self.services.services(raw, spot, derived.services, self.remember)
        if services:
            state["invoke"] = services
