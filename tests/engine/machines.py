"""Random machines: trees, arcs and functions drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState

EVENTS = ("A", "B", "C", "x.y", "x.z")
ACTIONS = ("inc", "set", "raise A", "raise B", "look")
GUARDS = ("yes", "no", "even", "few")


@dataclass
class Shape:
    """A config under construction."""

    draw: Callable[[Any], Any]
    count: int = 0

    def state(self, depth: int) -> dict[str, Any]:
        self.count += 1
        node: dict[str, Any] = {"id": f"s{self.count}"}
        kinds = ["atomic", "final", "compound", "parallel"] if depth < 3 and self.count < 14 else ["atomic", "final"]
        kind = "compound" if depth == 0 else self.draw(st.sampled_from(["atomic", *kinds]))
        if kind == "final":
            node["type"] = "final"
        if kind in ("compound", "parallel"):
            keys = [f"k{number}" for number in range(self.draw(st.integers(1, 3)))]
            node["states"] = {key: self.state(depth + 1) for key in keys}
            if self.draw(st.booleans()):
                node["states"]["h"] = {
                    "id": f"{node['id']}h",
                    "history": self.draw(st.sampled_from(["shallow", "deep"])),
                }
            if kind == "parallel":
                node["type"] = "parallel"
            else:
                node["initial"] = keys[0]
        return node

    def dress(self, node: dict[str, Any], ids: list[str]) -> None:
        if "history" in node:
            return
        for key in ("entry", "exit"):
            node[key] = self.actions()
        if node.get("type") != "final":
            node["on"] = {event: self.arcs(ids) for event in self.some((*EVENTS, "*", "x.*"), 3)}
            if self.draw(st.integers(0, 4)) == 0:
                node["always"] = [self.arc(ids, guards=GUARDS[1:])]
            if self.draw(st.integers(0, 4)) == 0:
                node["after"] = {str(self.draw(st.sampled_from([10, 20]))): self.arc(ids)}
        if "states" in node:
            node["onDone"] = self.arcs(ids)
        for child in node.get("states", {}).values():
            self.dress(child, ids)

    def arcs(self, ids: list[str]) -> list[dict[str, Any]]:
        return [self.arc(ids) for _ in range(self.draw(st.integers(0, 2)))]

    def arc(self, ids: list[str], guards: tuple[str, ...] = GUARDS) -> dict[str, Any]:
        arc: dict[str, Any] = {"actions": self.actions()}
        if self.draw(st.integers(0, 4)):
            arc["target"] = "#" + self.draw(st.sampled_from(ids))
            arc["reenter"] = self.draw(st.booleans())
        if self.draw(st.booleans()) or guards is not GUARDS:
            arc["guard"] = self.draw(st.sampled_from(guards))
        return arc

    def actions(self) -> list[str]:
        return self.some(ACTIONS, 2)

    def some(self, values: tuple[str, ...], most: int) -> list[str]:
        found: list[str] = self.draw(st.lists(st.sampled_from(values), max_size=most, unique=True))
        return found


@st.composite
def configs(draw: Callable[[Any], Any]) -> dict[str, Any]:
    """A machine with nested, parallel, history and final states, and arcs of every kind between them."""
    shape = Shape(draw)
    root = shape.state(0)
    ids = list(_ids(root))[1:]
    shape.dress(root, ids)
    root["context"] = {"n": 0}
    return root


def events() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from((*EVENTS, "unknown", "tick")), max_size=8)


def _ids(node: dict[str, Any]) -> Iterator[str]:
    yield node["id"]
    for child in node.get("states", {}).values():
        yield from _ids(child)


def functions(called: Callable[[str], None] = lambda name: None) -> dict[str, Any]:
    """The functions of these machines. `called` hears of every call, and may raise."""

    def action(name: str, code: Callable[[dict[str, Any], Any], Any]) -> Callable[..., Any]:
        def run(context: dict[str, Any], queue: Any) -> Any:
            called(name)
            return code(context, queue)

        return run

    def guard(name: str, code: Callable[[int], bool]) -> Callable[..., Any]:
        def run(context: dict[str, Any]) -> bool:
            called(name)
            return code(context["n"])

        return run

    def put(context: dict[str, Any], _: Any) -> None:
        context["n"] = 3

    return {
        "actions": {
            "inc": action("inc", lambda context, _: {"n": context["n"] + 1}),
            "set": action("set", put),
            "raise A": action("raise A", lambda _, queue: queue("A")),
            "raise B": action("raise B", lambda _, queue: queue("B")),
            "look": action("look", lambda _, __: None),
        },
        "guards": {
            "yes": guard("yes", lambda _: True),
            "no": guard("no", lambda _: False),
            "even": guard("even", lambda n: n % 2 == 0),
            "few": guard("few", lambda n: n < 4),
        },
    }


def check_configuration(chart: Chart, state: RunState) -> None:
    """A compound state has one active child, a parallel one all, and nothing is active without its parent."""
    configuration = configuration_of(chart, state.leaves)
    active = set(configuration.nodes)
    assert chart.root in active
    for node in active:
        assert node.parent is None or node.parent in active
        assert node.kind != "history"
        inside = [child for child in node.children if child in active]
        if node.kind == "compound":
            assert len(inside) == 1, f"{node} has {inside}"
        elif node.kind == "parallel":
            assert len(inside) == len(node.children), f"{node} has only {inside}"
