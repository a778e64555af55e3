"""Runs XState's definitions of recorded machines in place of the machines, and says which of them can be equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fsmvoice.importers.xstate import from_xstate
from tests.oracle.compare import Difference, first_difference
from tests.oracle.run import Mode, Record, run_case


def lacks(machine: Mapping[str, Any]) -> list[str]:
    """What `JSON.stringify(machine)` does not write of this machine, its context aside."""
    states = list(_states(machine))
    found: list[str] = []
    if any(state.get("always") for state in states):
        found.append("always")
    if any("target" in state for state in states):
        found.append("a history's target")
    if any(arcs == [] for state in states for arcs in state.get("after", {}).values()):
        found.append("a delay without transitions")
    return found


def _states(state: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield state
    for child in state.get("states", {}).values():
        yield from _states(child)


@dataclass
class Tally:
    """How the definitions fared. One that says all of its machine must be equal; another may be, by luck."""

    whole: int = 0
    whole_equal: int = 0
    lacking: Counter[str] = field(default_factory=Counter[str])
    partial: int = 0
    partial_equal: int = 0
    inexpressible: Counter[str] = field(default_factory=Counter[str])
    differences: list[Difference] = field(default_factory=list[Difference])

    @property
    def good(self) -> bool:
        """Whether no definition differs that could be equal."""
        return self.whole == self.whole_equal

    def __str__(self) -> str:
        total, equal = self.whole + self.partial, self.whole_equal + self.partial_equal
        reasons = "; ".join(f"{count} lack {reason}" for reason, count in self.inexpressible.most_common())
        return (
            f"{total} definitions: {equal} equal, {total - equal - self.whole + self.whole_equal} not expressible"
            + (f" ({reasons})" if reasons else "")
            + f"\n  {self.whole} say all of their machine: {self.whole_equal} equal"
            + f"\n  {self.partial} lack what XState doesn't write ("
            + ", ".join(f"{reason}: {count}" for reason, count in self.lacking.most_common())
            + f"): {self.partial_equal} equal all the same, as no event came to what is lacking"
            + "\n  the contexts are the cases', as no definition holds one"
        )


def run_definitions(
    cases: Iterable[Mapping[str, Any]],
    definitions: Mapping[str, Any],
    mode: Mode,
    done: dict[str, list[Record]] | None = None,
) -> Tally:
    """Import and run the definition of each case. What each did is put into `done`, by the case's id."""
    tally = Tally()
    done = {} if done is None else done
    for case in cases:
        difference = _difference(case, definitions.get(case["id"]), mode, done)
        missing = lacks(case["machine"])
        if missing:
            tally.partial += 1
            tally.partial_equal += difference is None
            tally.lacking.update(missing)
            if difference is not None:
                tally.inexpressible[" and ".join(missing)] += 1
        else:
            tally.whole += 1
            tally.whole_equal += difference is None
            if difference is not None:
                tally.differences.append(difference)
    return tally


def _difference(
    case: Mapping[str, Any], definition: Mapping[str, Any] | None, mode: Mode, done: dict[str, list[Record]]
) -> Difference | None:
    if definition is None:
        return Difference(case["id"], "error", 0, None, "there is no definition of it", None, None)
    context = case["machine"].get("context")
    try:
        ours = run_case(case, mode, from_xstate({**definition, "context": context}).config)
        done[case["id"]] = ours
        return first_difference(case, ours)
    except Exception as error:  # noqa: BLE001, RUF100 - one that breaks is a difference, and the others go on
        return Difference(case["id"], "error", 0, None, repr(error), None, None)
