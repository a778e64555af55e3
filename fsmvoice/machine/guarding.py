"""Resolving a class's guards by name, so that a subclass can override them, and checking them against their events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.machine.code import guard_code, is_async
from fsmvoice.machine.members import inherited_marks
from fsmvoice.machine.misplaced import Misplaced
from fsmvoice.machine.payload import parameters_of, shape_of, written
from fsmvoice.machine.place import Place, place_of
from fsmvoice.machine.texts import check_slots
from fsmvoice.machine.transitions import GuardRef
from fsmvoice.model.behaviour import StepCode
from fsmvoice.model.context import ContextType
from fsmvoice.model.field_classes import reached_classes
from fsmvoice.model.payload import Parameter


@dataclass(slots=True)
class Guards:
    """The guards used by the transitions of a class."""

    cls: type
    namespace: Mapping[str, Any]
    names: Mapping[str, Any]
    context: ContextType
    problems: list[Problem]
    refused: Collection[str] = ()
    codes: dict[str, StepCode] = field(default_factory=dict[str, StepCode])
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    _parameters: dict[str, tuple[Parameter, ...]] = field(default_factory=dict[str, tuple[Parameter, ...]])

    def name(self, guard: GuardRef, place: Place, event: str, payload: Sequence[Parameter]) -> str | None:
        """The name of `guard` in the config, or None.

        Args:
            event: the event that it guards; '' for an eventless transition.
            payload: the parameters of that event.
        """
        if guard is None:
            return None
        if isinstance(guard, Misplaced):  # its problem is told where it stands
            return None
        if not isinstance(guard, str) and not callable(guard):
            told = f"guard: {guard!r:.60} is not a guard"
            self.problems.append(Problem(str(place), told, "give a method of the machine, or its name"))
            return None
        name = guard if isinstance(guard, str) else self._name_of(guard)
        if name == "<lambda>" or not name:
            hint = "write a method with @guard(reason): it has a name that a subclass can override, and can say why not"
            self.problems.append(Problem(str(place), "guard: a lambda has no name", hint))
            return None
        function = self.namespace.get(name)
        if name in self.refused:
            return None
        if not isinstance(function, FunctionType):
            hint = did_you_mean(name, self._methods(), otherwise="its methods are")
            self.problems.append(Problem(str(place), f"guard: {name!r} is not a method of {self.cls.__name__}", hint))
            return None
        if name not in self._parameters:
            self._add(name, function)
        self._check(name, function, place, event, payload)
        return name

    def _owners(self) -> tuple[type[Any], ...]:
        """The classes whose attributes guards read."""
        return (self.cls, self.context.type, *reached_classes(self.context.hints.values()))

    def _name_of(self, guard: Any) -> str:
        """The name that the class has for a function: its own, but for `__private` ones and lambdas."""
        own = str(getattr(guard, "__name__", ""))
        if self.namespace.get(own) is guard:
            return own
        return next((name for name, value in self.namespace.items() if value is guard), own)

    def _add(self, name: str, function: FunctionType) -> None:
        if is_async(function):
            hint = "a guard decides at once; look things up in the action, which may `raise Refuse(...)`"
            self.problems.append(Problem(str(place_of(function)), f"the guard {name!r} is async", hint))
        parameters = parameters_of(function, self.names, self.problems)
        self._parameters[name] = parameters
        self.codes[name] = guard_code(name, function, payload=bool(parameters), owners=self._owners())
        reason = inherited_marks(self.cls, name)[1]
        if reason is not None:
            self.reasons[name] = reason

    def _check(self, name: str, function: FunctionType, place: Place, event: str, payload: Sequence[Parameter]) -> None:
        own = self._parameters[name]
        given = shape_of(payload)
        if own and shape_of(own) != given:
            carries = f"{event} carries {written(payload)}" if event else "there is no event, and so no payload"
            message = f"the guard {name!r} takes {written(own)}, but {carries}"
            self.problems.append(Problem(str(place), message, "it takes nothing, or exactly the event's parameters"))
            return
        if name in self.reasons:
            what = f"the reason of the guard {name!r}" + (f" (for {event})" if event else "")
            text, hints = self.reasons[name], {parameter.name: parameter.annotation for parameter in payload}
            self.problems += check_slots([text], place_of(function), what, self.context, given, hints=hints)

    def _methods(self) -> list[str]:
        return [name for name, value in self.namespace.items() if isinstance(value, FunctionType) and name[:2] != "__"]
