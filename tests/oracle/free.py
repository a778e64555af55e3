"""`python -m tests.oracle.free`: dense random machines, each with a bent of its own, run here and in XState.

They are of the recorded cases' kind, with more in them: delays by name, worked out from the context, guards of guards,
actions that choose, services with input, targets further down. `tests.oracle.mixed` writes sparser ones.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from typing import Any

from tests.oracle.known import Case, recorded, sort_out
from tests.oracle.run import Mode

EVENTS = ("A", "B", "C", "D", "sys.x", "sys.y.z")
WILDCARDS = ("*", "sys.*", "sys.y.*")
DELAYS = ("100", "200", "500", "short", "by k")

BENTS: Mapping[str, Mapping[str, float]] = {
    "everything": {"parallel": 0.35, "history": 0.4, "final": 0.3, "always": 0.2, "after": 0.12, "several": 0.09},
    "regions": {"parallel": 0.5, "several": 0.2, "final": 0.2},
    "history": {"parallel": 0.2, "history": 0.7},
    "always": {"parallel": 0.15, "always": 0.5, "raise": 0.3},
    "ends": {"parallel": 0.25, "history": 0.1, "final": 0.5, "services": 0.1},
    "reenter": {"parallel": 0.25, "history": 0.15, "reenter": 0.5},
    "timers": {"parallel": 0.15, "history": 0.1, "after": 0.5, "always": 0.1},
    "services": {"parallel": 0.2, "services": 0.4, "final": 0.2},
}
USUAL: Mapping[str, float] = {"final": 0.08, "always": 0.04, "raise": 0.07, "reenter": 0.15}


class FreeWriter:
    """Writes one machine. Every choice comes from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"free {seed}")
        self.bent = {**USUAL, **BENTS[self.random.choice([*BENTS])]}
        self.kinds: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        self.count = 0
        self.services = 0
        # A promise is settled after all that happens at once; here a function's result comes in its turn.
        self.promises = self._chance(0.5)

    def machine(self) -> Case:
        """A machine, the events to send it, and no steps yet."""
        root = self._tree("m", 0)
        self._fill(root)
        root["context"] = {"n": 0, "k": self.random.randrange(3), "flag": self._chance(0.5), "last": None}
        if self._chance(0.4):
            root["output"] = {"done": True}
        return {"machine": root, "events": [self._event() for _ in range(self.random.randint(8, 18))]}

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _bent(self, feature: str, share: float = 1.0) -> bool:
        return self._chance(self.bent.get(feature, 0) * share)

    def _tree(self, id: str, depth: int) -> Case:
        """States without what they do."""
        node: Case = {"id": id}
        if depth > 0 and (depth > 3 or not self._chance(0.55 if depth < 2 else 0.3)):
            self.kinds[id] = "atomic"
            if self.kinds.get(self.parents[id]) == "compound" and self._bent("final", 0.5):
                self.kinds[id] = node["type"] = "final"
                if self._chance(0.5):
                    node["output"] = {"from": id}
            return node
        kind = self.kinds[id] = "parallel" if self._bent("parallel") else "compound"
        names = [f"{'r' if kind == 'parallel' else 's'}{number}" for number in range(self.random.randint(2, 3))]
        self.parents.update({f"{id}_{name}": id for name in names})
        node["states"] = {name: self._tree(f"{id}_{name}", depth + 1) for name in names}
        if kind == "parallel":
            node["type"] = kind
        else:
            node["initial"] = names[0] if self._chance(0.85) else {"target": names[0], "actions": self._actions()}
        if self._bent("history"):
            self.kinds[f"{id}_h"] = "history"
            self.parents[f"{id}_h"] = id
            node["states"]["h"] = {"id": f"{id}_h", "type": "history", "history": self._one("deep", "shallow")}
            if self._chance(0.4):
                node["states"]["h"]["target"] = f"#{id}_{self.random.choice(names)}"
        return node

    def _fill(self, node: Case) -> None:
        """What the states do, once all of them have names."""
        if node.get("type") == "history":
            return
        for key in ("entry", "exit"):
            if self._chance(0.4):
                node[key] = self._actions()
        if self._chance(0.2):
            node["tags"] = [self._one("busy", "ready", "slow")]
        for child in node.get("states", {}).values():
            self._fill(child)
        if node.get("type") == "final":
            return
        events = self.random.sample((*EVENTS, *WILDCARDS), self.random.randint(1, 6))
        node["on"] = {event: self._arcs(node) for event in events}
        if self._bent("always"):
            node["always"] = [{**self._arc(node, 0), "guard": self._guard()} for _ in range(self.random.randint(1, 2))]
        if not self.promises and self._bent("after"):
            node["after"] = {delay: self._arcs(node) for delay in self.random.sample(DELAYS, self.random.randint(1, 2))}
        if "states" in node and self._chance(0.45):
            node["onDone"] = self._with_output(self._arc(node, 0.4))
        if self._bent("services"):
            self.services += 1
            node["invoke"] = {
                "src": self._one("s_out", "s_err", "s_twice") if self.promises else self._one("s_never", "s_send"),
                "id": f"svc{self.services}",
                "input": {"x": self.random.randrange(4)},
                "onDone": self._with_output(self._arc(node, 0.3)),
                "onError": self._arcs(node) or {"actions": ["a0"]},
            }

    def _with_output(self, arc: Case) -> Case:
        """The arc of a done event, which may keep what that brings."""
        if self._chance(0.5):
            arc["actions"] = [{"type": "assignFromEvent", "params": {"key": "last", "field": "output"}}]
        return arc

    def _arcs(self, node: Case) -> Any:
        if self._chance(0.04):
            return self._one([], {})
        if self._chance(0.5):
            return self._arc(node, 0.45)
        return [self._arc(node, 0.6) for _ in range(self.random.randint(1, 4))]

    def _arc(self, node: Case, guarded: float) -> Case:
        arc: Case = {}
        if self._chance(0.86):
            arc["target"] = self._target(node)
        if self._bent("reenter"):
            arc["reenter"] = True
        if self._chance(guarded):
            arc["guard"] = self._guard()
        if self._chance(0.55) or "target" not in arc:
            arc["actions"] = self._actions()
        return arc

    def _target(self, node: Case) -> Any:
        if self._bent("several") and (targets := self._several()):
            return targets
        draw = self.random.random()
        own = f"{node['id']}_"
        below = [other for other in self.kinds if other.startswith(own)]
        if draw < 0.15 and below:
            return "." + self.random.choice(below).removeprefix(own).replace("_", ".")
        around = f"{self.parents.get(node['id'], '-')}_"
        beside = [other for other in self.kinds if other.startswith(around)]
        if draw < 0.4 and beside:
            return self.random.choice(beside).removeprefix(around).replace("_", ".")
        return f"#{self.random.choice([other for other in self.kinds if other != 'm' or self._chance(0.3)])}"

    def _several(self) -> list[str]:
        """Targets in regions of one parallel state."""
        found = [name for name, kind in self.kinds.items() if kind == "parallel"]
        if not found:
            return []
        around = self.random.choice(found)
        beside = [name for name, parent in self.parents.items() if parent == around]
        regions = [name for name in beside if self.kinds[name] != "history"]
        targets: list[str] = []
        for region in self.random.sample(regions, self.random.randint(2, len(regions))):
            inside = [name for name in self.kinds if name == region or name.startswith(f"{region}_")]
            targets.append(f"#{self.random.choice(inside)}")
        return targets

    def _guard(self) -> Any:
        states = [name for name, kind in self.kinds.items() if kind != "history"]
        plain = ("g_true", "g_false", f"in:{self.random.choice(states)}")
        choices: tuple[Callable[[], Any], ...] = (
            lambda: self._one(*plain),
            lambda: f"not:{self._one(*plain)}",
            lambda: f"{self._one('and', 'or')}:{self._one(*plain)}+{self._one(*plain)}",
            lambda: {"type": "ctx_truthy", "params": {"key": self._one("n", "k", "flag", "last")}},
            lambda: {"type": "ctx_gte", "params": {"key": self._one("n", "k"), "value": self.random.randrange(5)}},
            lambda: {"type": "ev_eq", "params": {"field": "v", "value": self.random.randrange(3)}},
        )
        return self.random.choice(choices)()

    def _actions(self) -> list[Any]:
        return [self._action() for _ in range(self.random.randint(1, 2))]

    def _action(self) -> Any:
        if self._bent("raise"):
            return {"type": "raise", "params": {"event": {"type": self._one(*EVENTS)}}}
        draw = self.random.random()
        if draw < 0.15:
            given = {"key": self._one("n", "k"), "op": self._one("inc", "set"), "value": self.random.randrange(4)}
            return {"type": "assign", "params": given}
        if draw < 0.2:
            return {"type": "assignFromEvent", "params": {"key": "last", "field": "v"}}
        if draw < 0.28:
            guard = {"type": "ctx_gte", "params": {"key": "n", "value": self.random.randrange(4)}}
            given = {"guard": guard, "actions": self._actions(), "else": {"actions": self._actions()}}
            return {"type": "choose", "params": given}
        self.count += 1
        return f"a{self.count}"

    def _event(self) -> Case:
        if self._chance(0.35 if self.bent.get("after") else 0.1):
            return {"advance": self.random.choice((20, 100, 150, 300, 500))}
        event: Case = {"type": self.random.choice((*EVENTS, "sys", "other"))}
        if self._chance(0.5):
            event["v"] = self.random.randrange(3)
        return event

    def _one(self, *among: Any) -> Any:
        return self.random.choice(among)


def written(seeds: range) -> list[Case]:
    """A case for each seed that is fit to compare, with what XState did."""
    return recorded([{"id": f"free-{seed}", **FreeWriter(seed).machine()} for seed in seeds])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.free", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mode", choices=("sync", "async", "pure"), default="sync")
    options = parser.parse_args()
    mode: Mode = options.mode
    found = sort_out(written(range(options.seed, options.seed + options.count)), mode)
    for difference in found.unexplained:
        sys.stdout.write(f"{difference!s:.400}\n")
    sys.stdout.write(f"{found}\n")
    return 1 if found.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
