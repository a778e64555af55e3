"""`Definition`: a compiled machine class: its config, its behaviour, and its states by reference."""

from __future__ import annotations

from dataclasses import dataclass

from fsmvoice.errors import UnknownName
from fsmvoice.machine.state_tree import StateNode, StateTree
from fsmvoice.machine.states import StateRef
from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.config import FsmConfig


@dataclass(slots=True)
class Definition:
    """A compiled machine class. The chart is compiled on first use."""

    name: str
    config: FsmConfig
    behaviour: Behaviour
    tree: StateTree
    _chart: Chart | None = None

    @property
    def chart(self) -> Chart:
        if self._chart is None:
            self._chart = compile_chart(self.config, self.behaviour)
        return self._chart

    def node(self, ref: StateRef) -> StateNode:
        """The state that a reference names.

        Raises:
            UnknownName: if there is no such state.
        """
        found = self.tree.find(ref)
        if isinstance(found, StateNode):
            return found
        raise UnknownName(f"{self.name}: {found.message}" + (f"; {found.hint}" if found.hint else ""))
