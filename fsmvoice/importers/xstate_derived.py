"""Undoing what XState adds to a machine's definition: timers and done events written as ordinary events."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from fsmvoice.importers.xstate_arcs import Placed
from fsmvoice.importers.xstate_dialect import listed
from fsmvoice.model.shapes import is_list, is_object

Slot: TypeAlias = tuple[str, str]
"""A key of a state, and a key within it or the id of a service ('' if neither)."""

_AFTER = re.compile(r"xstate\.after[.(](?P<delay>.*?)(?:\)#|\.)(?P<id>.*)", re.DOTALL)
_SERVICE = re.compile(
    r"(?:xstate\.(?P<new>done|error)\.actor|(?P<old>done\.invoke|error\.platform))\.(?P<id>.*)", re.DOTALL
)


class Derived:
    """Finds where the arcs in one state's `on` belong.

    `timers` counts its delays. For each, XState adds an entry action that starts it and an exit action that stops it.
    """

    id: Any
    definition: bool
    timers: int
    services: dict[str, dict[str, list[Placed]]]
    invoked: set[str]

    def __init__(self, raw: Mapping[str, Any], id: Any, *, definition: bool) -> None:
        self.id, self.definition = id, definition
        self.timers = 0
        self.services = {}
        services = listed(raw["invoke"]) if "invoke" in raw else ()
        self.invoked = {str(service["id"]) for service in services if is_object(service) and service.get("id")}

    def slot(self, event: str, arcs: Any) -> Slot:
        """The place in a config of the arcs for `event`; `kept` for those that have none."""
        if event == "":
            return ("always", "")
        if not self.definition or "." not in event:
            return ("on", event)
        delay = _AFTER.fullmatch(event)
        if delay is not None:
            self.timers += 1
            return ("after", _delay(arcs) or delay["delay"])
        if event in (f"xstate.done.state.{self.id}", f"done.state.{self.id}"):
            return ("onDone", "")
        service = _SERVICE.fullmatch(event)
        if service is not None:
            good = service["new"] == "done" or service["old"] == "done.invoke"
            if service["id"] in self.invoked:
                return ("onDone" if good else "onError", service["id"])
            return ("on", f"xstate.{'done' if good else 'error'}.actor.{service['id']}")
        if event.startswith("done.state."):
            return ("on", f"xstate.{event}")
        if event.startswith("xstate.snapshot."):
            return ("kept", event)
        return ("on", event)


def _delay(arcs: Any) -> str | None:
    for arc in listed(arcs):
        delay = arc.get("delay") if is_object(arc) else None
        if isinstance(delay, str) and delay:
            return delay
        if isinstance(delay, int | float) and not isinstance(delay, bool):
            return f"{delay:.15g}"
    return None


def timers_alone(entry: Any, exit: Any) -> int:
    """How many timers a definition's entry starts and its exit stops, as far as both do nothing else after."""
    return min(_bare(entry, "xstate.raise"), _bare(exit, "xstate.cancel"))


def _bare(actions: Any, call: str) -> int:
    """How many of the last actions are nothing but `call`."""
    found = itertools.takewhile(lambda action: action == {"type": call}, reversed(listed(actions)))
    return len(list(found))


def without_timers(actions: Any, call: str, timers: int) -> Any:
    """A definition's actions without those that XState appended to run its timers."""
    if not is_list(actions):
        return actions
    kept = list(actions)
    for _ in range(timers):
        for number in range(len(kept) - 1, -1, -1):
            if _runs_a_timer(kept[number], call):
                del kept[number]
                break
    return kept


def _runs_a_timer(action: Any, call: str) -> bool:
    if not is_object(action):
        return False
    if action.get("type") == call:
        return True
    event = action.get("event") if action.get("type") == "xstate.send" else None
    named = event.get("type") if is_object(event) else event if isinstance(event, str) else action.get("sendId")
    return isinstance(named, str) and named.startswith("xstate.after")
