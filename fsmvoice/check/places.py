"""The files and lines in which the parts of a class are declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from fsmvoice.machine.guards import Forbidden
from fsmvoice.machine.machine_type import definition_of
from fsmvoice.machine.place import Place, place_of
from fsmvoice.machine.state_tree import StateNode
from fsmvoice.machine.transitions import is_transition
from fsmvoice.machine.voice_machine import VoiceMachine


class Places:
    """The places of a class's states, events and functions.

    Attributes:
        machine: the place of the class, '' for a config.
        doc: the docstring of the class.
        functions: the functions of the class by their names in its config.
        events: the events by the names of their methods.
    """

    def __init__(self, cls: type[VoiceMachine[Any]] | None) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        self.events: dict[str, str] = {}
        self.machine: str = ""
        self.doc: str = ""
        self._states: dict[str, str] = {}
        self._events: dict[str, str] = {}
        self._arcs: dict[tuple[str, str], str] = {}
        if cls is not None:
            self.machine = _of_class(cls)
            self.doc = inspect.cleandoc(cls.__doc__ or "")
            self._read(cls)

    def _read(self, cls: type[VoiceMachine[Any]]) -> None:
        tree = definition_of(cls).tree
        self._states = {node.path: str(node.place) for node in tree.states if node.place is not None}
        for name in dir(cls):
            value = inspect.getattr_static(cls, name)
            if is_transition(value):
                place = value.spoken.place if value.spoken is not None else value.arcs[-1].place
                self._events[value.event] = str(place)
                self.events[name] = value.event
                self.functions[name] = value.function
            elif isinstance(value, FunctionType):
                self.functions[name] = value
            elif isinstance(value, Forbidden):
                node = tree.find(value.source)
                if isinstance(node, StateNode):
                    self._arcs[node.path, value.event] = str(value.place)

    def state(self, path: str) -> str:
        """Where a state is declared, '' if unknown."""
        return self._states.get(path, "")

    def event(self, event: str) -> str:
        """Where an event is declared, '' if unknown."""
        return self._events.get(event, "")

    def forbid(self, path: str, event: str) -> str:
        """Where an event is forbidden in a state, '' if unknown."""
        return self._arcs.get((path, event), "")

    def function(self, name: str) -> str:
        """Where a function of the machine is defined, '' if unknown."""
        function = self.functions.get(name)
        return str(place_of(function)) if isinstance(function, FunctionType) else ""


def _of_class(cls: type[Any]) -> str:
    """The file and line of a class, '' if its source can't be read."""
    try:
        return str(Place(inspect.getfile(cls), inspect.getsourcelines(cls)[1]))
    except (OSError, TypeError):
        return ""
