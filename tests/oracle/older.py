"""`python -m tests.oracle.older`: random machines for XState 4, run there and, imported, here.

The two differ in more than words. What the import can't say in today's words it says in a note, so a machine without
such notes does here what it does there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.errors import RunawayError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.behaviour import Behaviour, Step, StepCode, named_code
from fsmvoice.model.chart import compile_chart
from fsmvoice.model.imported import Imported
from fsmvoice.model.shapes import is_list
from tests.oracle.corpus import Stubs
from tests.oracle.known import Case
from tests.oracle.mixed import Writer
from tests.oracle.node import in_xstate

ELSE = "version 4"
"""What a note says that tells of another behaviour."""


class OlderWriter(Writer):
    """Writes machines in version 4's words, without contexts."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, tame=True)
        self.promises = False

    def machine(self) -> Case:
        case = super().machine()
        del case["machine"]["context"]
        case["machine"].pop("output", None)
        return {**case, "machine": _in_older_words(case["machine"])}

    def _some(self, among: tuple[str, ...], most: int) -> list[str]:
        wild = self._chance(0.05)
        return super()._some(tuple(name for name in among if wild or not name.endswith(".*")), most)

    def _arc(self, node: Case, id: str, siblings: list[str], *, guarded: float, output: bool = False) -> Case:
        arc = super()._arc(node, id, siblings, guarded=guarded)
        if guarded == 0.9 and isinstance(arc.get("guard"), dict) and "field" in arc["guard"]:
            arc["guard"] = self.random.choice(("g_true", "g_false"))  # its always sees no event
        return arc

    def _action(self) -> Any:
        if self._chance(0.1):
            return {"type": "xstate.raise", "event": self.random.choice(("A", "B", "C"))}
        self.count += 1
        return f"a{self.count}"

    def _guard(self) -> Any:
        draw = self.random.random()
        if draw < 0.4:
            return self.random.choice(("g_true", "g_false"))
        if draw < 0.7:
            return {"type": "ev_eq", "field": "v", "value": self.random.randrange(3)}
        return {"in": f"#{self.random.choice([each for each in self.ids if each != 'm' and not each.endswith('_h')])}"}


def _in_older_words(state: Case) -> Case:
    written: Case = {}
    for key, value in state.items():
        if key == "states":
            written[key] = {name: _in_older_words(child) for name, child in value.items()}
        elif key in ("on", "after"):
            written[key] = {name.removeprefix("xstate."): _arcs(arcs) for name, arcs in value.items()}
        elif key in ("always", "onDone"):
            written[key] = _arcs(value)
        elif key == "initial":
            written[key] = value["target"] if isinstance(value, dict) else value
        elif key == "output":
            written["data"] = value
        else:
            written[key] = value
    return written


def _arcs(arcs: Any) -> Any:
    if is_list(arcs):
        return [_arcs(arc) for arc in arcs]
    arc: Case = {**arcs}
    guard = arc.pop("guard", None)
    if isinstance(guard, dict) and "in" in guard:
        arc["in"] = guard["in"]
    elif guard is not None:
        arc["cond"] = guard
    if "reenter" in arc:
        arc["internal"] = not arc.pop("reenter")
    return arc


def here(imported: Imported, events: list[Case]) -> list[Case]:
    """What the imported machine does here."""
    log: list[str] = []

    def action(name: str) -> StepCode:
        return StepCode(name, lambda step, params: log.append(name))

    def equal(step: Step, params: Mapping[str, Any] | None) -> bool:
        given = params or {}
        return bool(step.event.get(given["field"]) == given["value"])

    brought = {name: named_code(name, function) for name, function in imported.actions.items()}
    guards: dict[str, Any] = {
        **imported.guards,
        "g_true": StepCode("g_true", lambda step, params: True),
        "g_false": StepCode("g_false", lambda step, params: False),
        "ev_eq": StepCode("ev_eq", equal),
    }
    behaviour = Behaviour(actions=Stubs(dict(brought), action), guards=guards)
    clock = SimulatedClock()
    actor: FsmActor[Any] = FsmActor(compile_chart(imported.config, behaviour), clock=clock)
    steps = [_record(actor, log)]
    for event in events:
        if "advance" in event:
            clock.advance(event["advance"])
            actor.catch_up()
        else:
            actor.send_sync(event)
        steps.append(_record(actor, log))
    return steps


def _record(actor: FsmActor[Any], log: list[str]) -> Case:
    logged = list(log)
    log.clear()
    return {"value": actor.snapshot.value, "status": actor.run_state.status, "log": logged}


class Compared(NamedTuple):
    """A machine, what the import says of it, and the first step in which it differs, if any does."""

    case: Case
    notes: tuple[str, ...]
    theirs: Any
    ours: Any

    @property
    def differs(self) -> bool:
        return bool(self.theirs != self.ours)


def compared(seeds: range) -> Iterator[Compared]:
    """A random machine for each seed, if it comes to rest in XState 4."""
    cases: list[Case] = [{"id": f"older-{seed}", **OlderWriter(seed).machine()} for seed in seeds]
    done = in_xstate([{**case, "older": True} for case in cases])
    for case in cases:
        if "steps" not in done[case["id"]]:
            continue
        imported = from_xstate(case["machine"], version=4)
        notes = tuple(note for note in imported.notes if ELSE in note and note != "$: read as XState version 4")
        theirs = done[case["id"]]["steps"]
        try:
            ours = here(imported, case["events"])
        except RunawayError as error:
            yield Compared(case, notes, theirs, str(error))
            continue
        steps = zip(({"type": "start"}, *case["events"]), theirs, ours, strict=True)
        event, one, other = next((step for step in steps if step[1] != step[2]), (None, None, None))
        yield Compared(case, notes, (event, one), (event, other))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.older", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = list(compared(range(options.seed, options.seed + options.count)))
    wrong = [item for item in found if item.differs and not item.notes]
    for item in wrong:
        sys.stdout.write(f"{item.case['id']}\n  XState 4: {item.theirs}\n  here:     {item.ours}\n")
    told = [item for item in found if item.notes]
    sys.stdout.write(
        f"{len(found)} machines: {sum(not item.differs for item in found)} equal; {len(told)} have notes on other "
        f"behaviour, and {sum(item.differs for item in told)} of these differ; {len(wrong)} differ without a note\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
