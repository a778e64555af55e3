"""The transitions of an XState document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fsmvoice.errors import did_you_mean
from fsmvoice.importers.xstate_dialect import NO_MEANING, TRANSITION_KEYS, Version, function_in, listed, misspelt, plain
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import Names
from fsmvoice.model.forms import step
from fsmvoice.model.shapes import is_list, is_object

_DERIVED = frozenset({"event", "eventType", "source", "order", "delay"})
"""Keys of a transition that repeat what other parts of a definition say."""


class Spot(NamedTuple):
    """The place of a state: its JSON path and the keys that lead to it."""

    where: str
    keys: tuple[str, ...] = ()

    def below(self, key: str) -> Spot:
        return Spot(f"{self.where}.states{step(key)}", (*self.keys, key))

    @property
    def about(self) -> str:
        """The state's part of a generated name."""
        return " ".join(self.keys)


class Placed(NamedTuple):
    """An arc and its JSON path in the document."""

    arc: dict[str, Any]
    where: str


class Arcs:
    """Reads transitions with the meaning they have in the document's XState version."""

    findings: Findings
    names: Names
    version: Version
    delimiter: str
    understood: frozenset[str]

    def __init__(self, findings: Findings, names: Names, version: Version, delimiter: str, *, definition: bool) -> None:
        self.findings, self.names, self.version, self.delimiter = findings, names, version, delimiter
        self.understood = TRANSITION_KEYS if definition else TRANSITION_KEYS - _DERIVED
        if version == 5:
            self.understood -= {"internal"}

    def arcs(self, raw: Any, where: str, spot: Spot, about: str) -> list[Placed]:
        """Read a target, an object, or a list of them. `null` takes the event and does nothing."""
        if not is_list(raw):
            arc = self._arc(raw, where, spot, about)
            return [] if arc is None else [Placed(arc, where)]
        found: list[Placed] = []
        for number, item in enumerate(raw):
            at = f"{where}[{number}]"
            arc = self._arc(item, at, spot, about)
            if arc is not None:
                found.append(Placed(arc, at))
        return found

    def target(self, target: str, spot: Spot) -> str:
        """A target with `.` as delimiter, and with the leading `.` that version 4 may omit at the root."""
        if "\\" in target:
            return re.sub(r"\\(.)", r"\1", target)  # an escaped dot in a key, which we resolve without the backslash
        if target.startswith("#"):
            return target
        if self.delimiter != ".":
            target = target.replace(self.delimiter, ".")
        return f".{target}" if self.version == 4 and not spot.keys and not target.startswith(".") else target

    def _arc(self, raw: Any, where: str, spot: Spot, about: str) -> dict[str, Any] | None:
        if raw is None:
            return {}
        if isinstance(raw, str):
            if self.version == 4:
                return self._targeted({"target": raw}, where, spot)
            return {"target": self.target(raw, spot)}
        if not is_object(raw) or function_in(raw) is not None:
            said = "is a function; where it leads is not in the document" if is_object(raw) else "is not a transition"
            self.findings.refuse(where, said, 'write a target, or {"target": ..., "guard": ..., "actions": [...]}')
            return None
        arc = self._targeted(raw, where, spot)
        about = f"{spot.about} {about}"
        self._guard(raw, arc, where, spot, about)
        if "actions" in raw:
            actions = self.names.actions(raw["actions"], f"{where}.actions", about)
            if actions or not (listed(raw["actions"]) or "eventType" in raw):
                arc["actions"] = actions
        if raw.get("description") is not None:
            arc["description"] = raw["description"]
        kept = {key: value for key, value in raw.items() if key not in self.understood}
        if raw.get("guard") is not None and raw.get("cond") is not None:
            kept["cond"] = raw["cond"]
        meta = with_kept(self.findings, raw.get("meta"), kept, where, TRANSITION_KEYS)
        if meta is not None:
            arc["meta"] = meta
        return arc

    def _targeted(self, raw: Mapping[str, Any], where: str, spot: Spot) -> dict[str, Any]:
        """The `target` and `reenter` of an arc."""
        targets = listed(raw.get("target"))
        wrong = [target for target in targets if not isinstance(target, str)]
        if wrong:
            self.findings.refuse(f"{where}.target", "is not a name of a state", 'write a sibling, ".child" or "#id"')
            return {}
        found = [self.target(target, spot) for target in targets]
        arc: dict[str, Any] = {}
        if found:
            arc["target"] = found[0] if len(found) == 1 else found
        if isinstance(raw.get("reenter"), bool):
            if raw["reenter"] or "eventType" not in raw:
                arc["reenter"] = raw["reenter"]
        elif self.version == 4 and found and self._external(raw, targets, spot):
            arc["reenter"] = True
        return arc

    def _external(self, raw: Mapping[str, Any], targets: list[str], spot: Spot) -> bool:
        """Whether version 4 exits and re-enters the source. It matters only for targets within the source.

        It does so unless the arc says `internal`, or a target starts with the delimiter.
        """
        internal = raw.get("internal")
        inside = internal if isinstance(internal, bool) else any(target[0:1] == self.delimiter for target in targets)
        own = spot.keys[-1] if spot.keys else ""
        near = any(target[0:1] in ("#", self.delimiter) or target.split(self.delimiter)[0] == own for target in targets)
        return not inside and (near or not spot.keys)

    def _guard(self, raw: Mapping[str, Any], arc: dict[str, Any], where: str, spot: Spot, about: str) -> None:
        key = "guard" if raw.get("guard") is not None else "cond"
        guard = None
        if key == "cond" and raw.get("cond") is not None and self.version == 5:
            self.findings.note(f"{where}.cond", "is version 4's word, which version 5 overlooks; it is the guard here")
        if raw.get(key) is not None:
            guard = self.names.guard(raw[key], f"{where}.{key}", about)
        if raw.get("in") is not None:
            state = self._in(raw["in"], f"{where}.in", spot)
            if guard is not None and state is not None:
                guard = self.names.both(guard, state)
            elif state is not None:
                guard = self.names.in_state(state)
        if guard is not None:
            arc["guard"] = guard

    def _in(self, raw: Any, where: str, spot: Spot) -> str | None:
        """The state that version 4's `in` names: an id, or a path relative to the parent, also as nested objects."""
        if isinstance(raw, str) and raw.startswith("#"):
            return raw
        keys: list[str] = []
        value = raw
        while is_object(value) and len(value) == 1:
            key, value = next(iter(value.items()))
            keys.append(key)
        if not isinstance(value, str):
            self.findings.refuse(where, "names no state, or several", 'name one: "#id", "a.b" or {"a": "b"}')
            return None
        return ".".join((*spot.keys[:-2], *keys, *value.split(self.delimiter)))


def with_kept(
    findings: Findings, meta: Any, kept: Mapping[str, Any], where: str, known: frozenset[str]
) -> dict[str, Any] | None:
    """`meta` extended by the keys that have no meaning here, under `xstate`."""
    more: dict[str, Any] = {}
    for key, value in kept.items():
        why = NO_MEANING.get(key) if where == "$" else None
        near = misspelt(key, known) if why is None else None
        if near is not None:
            findings.refuse(f"{where}{step(key)}", f"unknown key {key!r}", did_you_mean(key, [near]))
            continue
        if why is not None and (not value or not is_object(value)):
            findings.note(f"{where}{step(key)}", f"left out: {why}")
            continue
        findings.note(f"{where}{step(key)}", f"{why or _reason(key, value)}; it is kept in meta.xstate")
        more[key] = value
    if meta is not None and not is_object(meta):
        findings.note(f"{where}.meta", "is not an object; it is kept in meta.xstate.meta")
        more["meta"] = meta
        meta = None
    if not more:
        return None if meta is None else dict(meta)
    before = (meta or {}).get("xstate")
    return {**(meta or {}), "xstate": {**(before if is_object(before) else {}), **more}}


def _reason(key: str, value: Any) -> str:
    """Why a known key, or any other, can't have its place."""
    if key == "context" and not plain(value):
        return "is worked out by a function; write the start context as data"
    if key in ("output", "data") and not plain(value):
        return "is worked out by a function, and is data here"
    if key in ("initial", "states"):
        return "leads nowhere, as the state is final"
    return "has no meaning here"
