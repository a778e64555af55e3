"""`python -m tests.oracle.mixed`: random machines that mix everything, run here and in XState, and compared.

The recorded cases have a family for each feature. What goes wrong where features meet is looked for here.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from typing import Any

from tests.oracle.known import Case, recorded, sort_out

EVENTS = ("A", "B", "C", "sys.x", "sys.y.z", "sys", "other")
DESCRIPTORS = (*EVENTS[:5], "A", "B", "*", "sys.*", "sys.y.*")
MOST_STEPS = 14


class Writer:
    """Writes one machine. Every choice comes from one seed."""

    def __init__(self, seed: int, *, tame: bool = False) -> None:
        self.random = random.Random(seed)
        self.tame = tame
        self.ids: list[str] = []
        self.count = 0
        self.services = 0
        # A promise is settled after all that happens at once; here a function's result comes in its turn.
        self.promises = self._chance(0.5)

    def machine(self) -> Case:
        """A machine, the events to send it, and no steps yet."""
        root = self._tree("m", "m", 0)
        self._fill(root, "m", [])
        root["context"] = {"n": 0, "k": self.random.randrange(3), "flag": self._chance(0.5), "last": None}
        if self._chance(0.3):
            root["output"] = {"done": True}
        return {"machine": root, "events": [self._event() for _ in range(self.random.randint(5, MOST_STEPS))]}

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _tree(self, key: str, id: str, depth: int) -> Case:
        """States without what they do."""
        self.ids.append(id)
        node: Case = {"id": id}
        if depth > 0 and (depth > 3 or self._chance(0.25 + 0.2 * depth)):
            return node
        parallel = self._chance(0.3 if depth else 0.15)
        names = [f"{'r' if parallel else 's'}{number}" for number in range(self.random.randint(2, 3 if depth else 4))]
        node["states"] = {name: self._tree(name, f"{id}_{name}", depth + 1) for name in names}
        if parallel:
            node["type"] = "parallel"
            if not self.tame and self._chance(0.3):
                node["states"]["h"] = self._history(id, names)
            return node
        start = self.random.choice(names)
        node["initial"] = {"target": start, "actions": self._actions()} if self._chance(0.15) else start
        if self._chance(0.4):
            node["states"]["h"] = self._history(id, names)
        if self._chance(0.55):
            final: Case = {"id": f"{id}_f", "type": "final"}
            if self._chance(0.4):
                final["output"] = {"from": id}
            node["states"]["f"] = final
            self.ids.append(f"{id}_f")
        return node

    def _history(self, id: str, names: list[str]) -> Case:
        self.ids.append(f"{id}_h")
        node: Case = {"id": f"{id}_h", "type": "history"}
        if self._chance(0.5):
            node["history"] = self.random.choice(("deep", "shallow"))
        if self._chance(0.4):
            node["target"] = f"#{id}_{self.random.choice(names)}"
        return node

    def _fill(self, node: Case, id: str, siblings: list[str]) -> None:
        """What the states do, once all of them have names."""
        if node.get("type") == "history":
            return
        for key, share in (("entry", 0.35), ("exit", 0.3)):
            if self._chance(share):
                node[key] = self._actions()
        if self._chance(0.25):
            node["tags"] = [self.random.choice(("busy", "ready", "slow"))]
        for name, child in node.get("states", {}).items():
            self._fill(child, f"{id}_{name}", [*node["states"]])
        if node.get("type") == "final":
            return
        self._leave(node, id, siblings)

    def _leave(self, node: Case, id: str, siblings: list[str]) -> None:
        on = {event: self._arcs(node, id, siblings) for event in self._some(DESCRIPTORS, 4)}
        if self._chance(0.08):
            on[f"xstate.done.state.{self.random.choice(self.ids)}"] = self._arcs(node, id, siblings)
        if on:
            node["on"] = on
        if self._chance(0.18):
            node["always"] = [self._arc(node, id, siblings, guarded=0.9) for _ in range(self.random.randint(1, 2))]
        if not self.promises and self._chance(0.25):
            node["after"] = {str(10 * self.random.randint(1, 5)): self._arcs(node, id, siblings) for _ in range(2)}
        if "states" in node and self._chance(0.5):
            node["onDone"] = self._arcs(node, id, siblings)
        if not self.tame and self._chance(0.12):
            self.services += 1
            node["invoke"] = {
                "src": self.random.choice(("s_never", "s_out", "s_err") if self.promises else ("s_never", "s_send")),
                "id": f"svc{self.services}",
                "onDone": self._arcs(node, id, siblings, output=True),
                "onError": self._arcs(node, id, siblings) or {"actions": ["a0"]},
            }

    def _some(self, among: tuple[str, ...], most: int) -> list[str]:
        return self.random.sample(list(dict.fromkeys(among)), self.random.randint(0, most))

    def _arcs(self, node: Case, id: str, siblings: list[str], *, output: bool = False) -> Any:
        draw = self.random.random()
        if draw < 0.05:
            return {}
        if draw < 0.08:
            return []
        if draw < 0.55:
            return self._arc(node, id, siblings, guarded=0.3, output=output)
        return [self._arc(node, id, siblings, guarded=0.6, output=output) for _ in range(self.random.randint(1, 3))]

    def _arc(self, node: Case, id: str, siblings: list[str], *, guarded: float, output: bool = False) -> Case:
        arc: Case = {}
        if self._chance(0.82):
            arc["target"] = self._target(node, siblings)
        if self._chance(guarded):
            arc["guard"] = self._guard()
        if self._chance(0.5) or "target" not in arc:
            arc["actions"] = self._actions()
        if output and self._chance(0.5):
            arc["actions"] = [{"type": "assignFromEvent", "params": {"key": "last", "field": "output"}}]
        if self._chance(0.25):
            arc["reenter"] = self._chance(0.8)
        return arc

    def _target(self, node: Case, siblings: list[str]) -> Any:
        draw = self.random.random()
        if draw < 0.2 and node.get("states"):
            return f".{self.random.choice([*node['states']])}"
        if draw < 0.5 and siblings:
            return self.random.choice(siblings)
        if draw < 0.58 and not self.tame:
            return [f"#{self._id()}" for _ in range(2)]
        return f"#{self._id()}"

    def _id(self) -> str:
        return self.random.choice(self.ids[1:] if self.tame else self.ids)

    def _guard(self) -> Any:
        choices: tuple[Callable[[], Any], ...] = (
            lambda: "g_true",
            lambda: "g_false",
            lambda: {"type": "ctx_truthy", "params": {"key": "flag"}},
            lambda: {"type": "ctx_gte", "params": {"key": "n", "value": self.random.randint(1, 5)}},
            lambda: {"type": "ev_eq", "params": {"field": "v", "value": self.random.randrange(3)}},
            lambda: f"in:{self.random.choice([each for each in self.ids if not each.endswith('_h')])}",
        )
        return self.random.choice(choices)()

    def _actions(self) -> list[Any]:
        return [self._action() for _ in range(self.random.randint(1, 2))]

    def _action(self) -> Any:
        draw = self.random.random()
        if draw < 0.12:
            return {"type": "raise", "params": {"event": {"type": self.random.choice(EVENTS[:5])}}}
        if draw < 0.3:
            value = self.random.randint(1, 2)
            return {"type": "assign", "params": {"key": self.random.choice("nk"), "op": "inc", "value": value}}
        if draw < 0.36:
            return {"type": "assign", "params": {"key": "flag", "op": "set", "value": self._chance(0.5)}}
        if draw < 0.42:
            return {"type": "assignFromEvent", "params": {"key": "last", "field": "v"}}
        self.count += 1
        return f"a{self.count}"

    def _event(self) -> Case:
        if self._chance(0.2):
            return {"advance": self.random.choice((5, 10, 20, 55))}
        event: Case = {"type": self.random.choice(EVENTS)}
        if self._chance(0.5):
            event["v"] = self.random.randrange(3)
        return event


def written(seeds: range, *, tame: bool = False) -> list[Case]:
    """A case for each seed that is fit to compare, with what XState did."""
    return recorded([{"id": f"mixed-{seed}", **Writer(seed, tame=tame).machine()} for seed in seeds])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.mixed", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mode", choices=("sync", "async", "pure"), default="sync")
    parser.add_argument("--tame", action="store_true", help="no services, one target each, and never the root")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    found = sort_out(written(seeds, tame=options.tame), options.mode)
    for difference in found.unexplained:
        sys.stdout.write(f"{difference!s:.400}\n")
    sys.stdout.write(f"{found}\n")
    return 1 if found.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
