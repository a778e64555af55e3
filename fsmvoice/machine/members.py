"""The declarations of a class and its bases, merged by name, and the problems found in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Generic, cast

from fsmvoice.errors import Problem
from fsmvoice.machine.body import Body, kind_of
from fsmvoice.machine.effects import Effect
from fsmvoice.machine.guards import Forbidden, reason_of
from fsmvoice.machine.hooks import Hook, hooks_of
from fsmvoice.machine.misplaced import Misplaced
from fsmvoice.machine.place import Place, place_of
from fsmvoice.machine.states import Compound, History, Parallel, State, info_of, is_compound, is_unfit
from fsmvoice.machine.transitions import Transition, is_transition
from fsmvoice.model.versions import Migration

_OF_CLASSES = ("config", "chart", "at", "restore", "started", "to_xstate")
_OF_MACHINES = ("state", "context", "snapshot", "available", "blocked", "matches", "send", "send_sync", "say", "hear")
RESERVED = frozenset((*_OF_CLASSES, *_OF_MACHINES, "settled", "start_over", "idempotency_key"))
"""Attributes of every machine; no declaration may have one of these names."""
_CLASSES: tuple[Any, ...] = (State, History, Compound, Parallel)


@dataclass(slots=True)
class Members:
    """A class's declarations, in the order of their first declaration in a base, with the most derived value."""

    namespace: dict[str, Any] = field(default_factory=dict[str, Any])
    problems: list[Problem] = field(default_factory=list[Problem])
    refused: dict[str, Any] = field(default_factory=dict[str, Any])
    """Members that are already reported, so that references to them are not reported too."""

    def states(self) -> Iterator[tuple[str, State | type[Compound]]]:
        """The top-level states."""
        return states_in(self.namespace)

    def transitions(self) -> Iterator[tuple[str, Transition[..., Any]]]:
        for name, value in self.namespace.items():
            if is_transition(value):
                yield name, value

    def effects(self) -> Iterator[tuple[str, Effect[...]]]:
        for name, value in self.namespace.items():
            if isinstance(value, Effect):
                yield name, value

    def migrations(self) -> Iterator[Migration]:
        for value in self.namespace.values():
            if isinstance(value, Migration):
                yield value

    def forbidden(self) -> Iterator[Forbidden]:
        for value in self.namespace.values():
            if isinstance(value, Forbidden):
                yield value

    def functions(self) -> Iterator[tuple[str, FunctionType]]:
        for name, value in self.namespace.items():
            if isinstance(value, FunctionType) and not name.startswith("__"):
                yield name, value


def members_of(cls: type, body: Mapping[str, Any], own: type) -> Members:
    """The declarations of `cls`, whose class body is `body`, and of its bases below `own` (`VoiceMachine`)."""
    members = Members()
    if isinstance(body, Body):
        members.problems += body.problems
        members.refused |= {f"(lost {number})": value for number, value in enumerate(body.lost)}
    for base in reversed(cls.__mro__):
        if base in (object, Generic) or issubclass(own, base):
            continue
        for name, value in vars(base).items():
            _add(members, name, value, base, body if base is cls else {})
    _check_collections(members, cls, body)
    return members


def _check_collections(members: Members, cls: type, body: Mapping[str, Any]) -> None:
    """Declarations that only a list or the like holds have no name, so they would be lost."""
    held = {id(value) for value in members.namespace.values()}
    for name, value in vars(cls).items():
        if value.__class__ in (list, tuple, set, frozenset, dict):
            items: Any = value.values() if value.__class__ is dict else value
            lost = next((item for item in items if kind_of(item) and id(item) not in held), None)
            if lost is not None and not any(id(lost) == id(value) for value in members.refused.values()):
                where = str(_place(name, value, body) or cls.__qualname__)
                told = f"{kind_of(lost)} in {name!r} has no name of its own, so it is lost"
                members.problems.append(Problem(where, told, "assign each to a name in the class"))
                members.refused[name] = value


def inherited_marks(cls: type, name: str) -> tuple[tuple[Hook, ...], str | None]:
    """The hooks and the guard's reason of a method: its own, or else those of the method it overrides."""
    hooks: tuple[Hook, ...] = ()
    reason: str | None = None
    for base in cls.__mro__:
        value = vars(base).get(name)
        hooks = hooks or hooks_of(value)
        reason = reason or reason_of(value)
    return hooks, reason


def states_in(namespace: Mapping[str, Any]) -> Iterator[tuple[str, State | type[Compound]]]:
    """The states among the attributes of a class, with their names."""
    for name, value in namespace.items():
        if isinstance(value, State) or is_compound(value):
            yield name, value


def merged(cls: type, stop: type) -> dict[str, Any]:
    """The attributes of a class and its bases below `stop`, in the order of their first declaration."""
    namespace: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if not issubclass(stop, base):
            namespace.update(vars(base))
    return namespace


def _add(members: Members, name: str, value: Any, base: type, body: Mapping[str, Any]) -> None:
    before = members.namespace.get(name)
    is_class = any(value is kind for kind in _CLASSES)
    place = None if is_class else _place(name, value, body)
    if isinstance(value, Misplaced):
        members.problems.append(value.problem)
        members.refused[name] = value
        return
    if is_class:
        told, hint = f"{name!r} is the class {value.__name__}", f"write {name} = {value.__name__}()"
        if issubclass(value, Compound):
            hint = f"write class {name}({value.__name__}): with its states inside"
        members.problems.append(Problem(str(place or base.__qualname__), told, hint))
        members.refused[name] = value
        return
    if is_transition(value) and name[:2] == name[-2:] == "__":
        told = f"{name!r} is a method that Python calls, so it can't be an event"
        members.problems.append(Problem(str(place or base.__qualname__), told, "name it otherwise"))
        members.refused[name] = value
        return
    if is_unfit(value, base):
        members.problems.append(unfit(name, cast("Any", value), str(place or base.__qualname__)))
        members.refused[name] = value
        return
    hidden = _inside(value)
    if kind_of(hidden) and not isinstance(hidden, FunctionType):
        members.refused[name] = hidden
        message = f"{name!r} is {kind_of(hidden)} inside a {type(value).__name__}, so it is lost"
        hint = f"leave the {type(value).__name__} out"
        if isinstance(value, FunctionType):
            hint = "put the other decorator below, next to the method"
        members.problems.append(Problem(str(place or base.__qualname__), message, hint))
        return
    if name in RESERVED:
        message = f"{name!r} is a machine's own attribute"
        hint = f"name it {name + '_'!r}" + (" (an event keeps its own name)" if kind_of(value) else "")
        members.problems.append(Problem(str(place or base.__qualname__), message, hint))
        members.refused[name] = value
        return
    lost = _lost(name, before, value)
    if lost is not None:
        members.problems.append(Problem(str(place or base.__qualname__), *lost))
    members.namespace[name] = value


def unfit(name: str, value: type, where: str) -> Problem:
    """The problem with a class that was meant to be a state."""
    derived = "derived from State" if issubclass(value, State) else "a plain class with states in it"
    return Problem(where, f"{name!r} is {derived}, so it is not a state", "derive it from Compound (or Parallel)")


def _lost(name: str, before: Any, value: Any) -> tuple[str, str] | None:
    """The message and hint if `value` wrongly replaces a declaration of a base, else None."""
    kind = kind_of(before)
    if not kind or kind == "a hook" or value is None or kind == kind_of(value):
        return None
    if is_transition(before):
        hint = f"put @transition({before.event!r}, source=...) on it, or write `{name} = None` to take the event away"
        return f"{name!r} overrides the event {before.event} by a plain {_called(value)}, so the event is lost", hint
    return f"{name!r} is {kind} of a base class", f"rename it, or write `{name} = None` to take {kind} away"


def _inside(value: Any) -> object:
    """What a property, classmethod, staticmethod or another decorator wraps."""
    kind = type(value).__name__
    attribute = {"property": "fget", "classmethod": "__func__", "staticmethod": "__func__", "function": "__wrapped__"}
    return getattr(value, attribute.get(kind, ""), None)


def _called(value: Any) -> str:
    return "method" if isinstance(value, FunctionType) else type(value).__name__


def _place(name: str, value: Any, body: Mapping[str, Any]) -> Place | None:
    if isinstance(value, FunctionType):
        return place_of(value)
    if is_transition(value):
        return value.arcs[0].place
    if isinstance(value, State) or is_compound(value):
        return info_of(value).place
    return body.places.get(name) if isinstance(body, Body) else None
