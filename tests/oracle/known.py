"""Says why a machine does something else in XState than here: by a known mistake of XState's, or unexplained.

A mistake is known if it can be mended: mended.mjs has a piece of XState's source in place of another for each. What
differs from XState, and not from XState with its mistakes mended, differs for them; whatever else differs is an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fsmvoice.engine.configuration import Configuration
from fsmvoice.errors import RunawayError
from fsmvoice.model.chart import Chart
from tests.oracle.compare import Difference, first_difference
from tests.oracle.names import Log
from tests.oracle.node import in_xstate
from tests.oracle.run import Mode, chart_for, run_chart

Case = dict[str, Any]

MENDS = (
    "timers run twice",
    "histories move the domain",
    "histories of the source",
    "always by age",
)
AT_ONCE = 500
"""How many machines node is given, which has a limited time for them."""
IMPOSSIBLE = "impossible targets"
"""Two states are active of which only one can be, as an arc says it leads to both. XState lets it, and so does this,
but what follows is not the same in all."""
SEVERAL = "several of these"


@dataclass
class Findings:
    """How cases fared."""

    cases: int = 0
    steps: int = 0
    known: dict[str, str] = field(default_factory=dict[str, str])
    """The kind of mistake, by the case that differs for it."""
    unexplained: list[Difference] = field(default_factory=list[Difference])

    def __str__(self) -> str:
        kinds = Counter(self.known.values()).most_common()
        said = "".join(f"\n  {count} by a mistake of XState's: {kind}" for kind, count in kinds)
        equal = self.cases - len(self.known) - len(self.unexplained)
        return f"{self.cases} machines, {self.steps} steps: {equal} equal, {len(self.unexplained)} unexplained{said}"


def recorded(cases: Sequence[Case], mends: Sequence[str] = ()) -> list[Case]:
    """The cases with what XState did; those that it refuses, or that don't come to rest, left out."""
    jobs = [{**case, "bounded": True, "mends": list(mends)} for case in cases]
    done: dict[str, dict[str, Any]] = {}
    for start in range(0, len(jobs), AT_ONCE):
        done.update(in_xstate(jobs[start : start + AT_ONCE]))
    return [
        {**case, "steps": done[case["id"]]["steps"]}
        for case in cases
        if "steps" in done[case["id"]] and all(step["status"] != "error" for step in done[case["id"]]["steps"])
    ]


def sort_out(cases: Iterable[Case], mode: Mode) -> Findings:
    """Run recorded cases here, and explain what differs. Nobody runs services where there is no actor."""
    findings = Findings()
    differing: dict[str, Case] = {}
    for case in cases:
        if mode == "pure" and _has_services(case["machine"]):
            continue
        findings.cases += 1
        findings.steps += len(case["steps"])
        if _run(case, mode).difference is not None:
            differing[case["id"]] = case
    for name, run in _by_mends(differing, MENDS, mode).items():
        if run.difference is None:
            findings.known[name] = SEVERAL
        elif run.impossible:
            findings.known[name] = IMPOSSIBLE
        else:
            findings.unexplained.append(run.difference)
    for mend in MENDS:
        for name, run in _by_mends({name: differing[name] for name in findings.known}, [mend], mode).items():
            if run.difference is None:
                findings.known[name] = mend
    return findings


def _has_services(state: Case) -> bool:
    return "invoke" in state or any(_has_services(child) for child in state.get("states", {}).values())


@dataclass
class _Run:
    difference: Difference | None
    impossible: bool = False


def _by_mends(cases: Mapping[str, Case], mends: Sequence[str], mode: Mode) -> dict[str, _Run]:
    """Each case again, beside an XState with `mends`. Two machines that both don't come to rest are equal too."""
    rest = {case["id"]: case for case in recorded(list(cases.values()), mends)}
    return {name: _run(rest.get(name, {**case, "steps": None}), mode) for name, case in cases.items()}


def _run(case: Case, mode: Mode) -> _Run:
    log: Log = []
    chart = chart_for(case, mode, log)
    try:
        ours = run_chart(chart, case, mode, log)
    except RunawayError as error:
        found = None if case["steps"] is None else _broken(case, error)
    except Exception as error:  # noqa: BLE001, RUF100 - a case that breaks is a difference, and the others go on
        found = _broken(case, error)
    else:
        found = _broken(case, "it comes to rest here") if case["steps"] is None else first_difference(case, ours)
    return _Run(found, found is not None and _was_impossible(chart))


def _broken(case: Case, error: Any) -> Difference:
    return Difference(case["id"], "error", 0, None, f"{type(error).__name__}: {error}", None, None)


def _was_impossible(chart: Chart) -> bool:
    """Whether the machine has stood in states that can't be active together."""
    return any(not _fits(found) for found in chart.cache.values() if isinstance(found, Configuration))


def _fits(configuration: Configuration) -> bool:
    active = set(configuration.nodes)
    for node in active:
        inside = [child for child in node.children if child in active]
        if node.kind == "compound" and len(inside) != 1:
            return False
        if node.kind == "parallel" and len(inside) != len(node.children):
            return False
    return True
