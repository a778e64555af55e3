"""`fsmvoice why`: explain why an event is taken in a state, or not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fsmvoice.bridge.arguments import read_arguments
from fsmvoice.bridge.coercion import NotThat, coerce
from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import load_target
from fsmvoice.engine.plan import start_plan
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.why import Asked
from fsmvoice.engine.why import why as asked
from fsmvoice.errors import FsmVoiceError, did_you_mean
from fsmvoice.machine.placing import run_state_at
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import INTERNAL, Node, is_wildcard
from fsmvoice.model.payload import Fault, json_value
from fsmvoice.model.run_state import RunState
from fsmvoice.voice.reply import Speech, make_speech


@click.command(
    short_help="Explain why an event is taken in a state, or not.",
    epilog="""\b
Examples:
  fsmvoice why coffee.py ORDER --payload drink=mocha
  fsmvoice why kiosk.py GRIND --in on.brew.grinding --with grams=20
  fsmvoice why kiosk.py POWER --in heating --json

\b
Exit codes: 0 it would be taken, 1 it would not, 2 the command line, the
target or its definition is invalid.""",
)
@click.argument("target")
@click.argument("event")
@click.option(
    "--in",
    "state",
    metavar="STATE",
    help="The state, given by dotted path, #id, or unambiguous name. Defaults to the initial state.",
)
@click.option("--with", "fields", multiple=True, metavar="FIELD=VALUE", help="A context field. May be repeated.")
@click.option(
    "--payload", "carried", multiple=True, metavar="NAME=VALUE", help="An argument of the event. May be repeated."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as a JSON object.")
@behaviour_option()
def why(  # noqa: PLR0917 - click passes options by name
    target: str,
    event: str,
    state: str | None,
    fields: tuple[str, ...],
    carried: tuple[str, ...],
    as_json: bool,
    behaviour: Path | None,
) -> None:
    """Explain why EVENT is taken in a state of TARGET, or not: its transitions in order, and the result of each guard.

    Only guards are called; no action, service or timer is run.
    """
    found = load_target(target, behaviour)
    chart, bound = found.chart()
    _check_event(chart, event)
    run_state = _placed(chart, state, _pairs(fields, "--with"))
    arguments = read_arguments(chart.behaviour.payloads.get(event), dict(_pairs(carried, "--payload")))
    answer = _Why(chart, run_state, event, arguments.values, arguments.faults, bound=bound)
    click.echo(json.dumps(answer.data(), indent=2, ensure_ascii=False) if as_json else answer.text())
    if not answer.ok:
        raise click.exceptions.Exit(1)


def _check_event(chart: Chart, event: str) -> None:
    wild = any(is_wildcard(name) for node in chart.nodes for name in node.on)
    if event in chart.events or event in chart.delays or wild:
        return
    known = [name for name in chart.events if not name.startswith(INTERNAL)]
    hint = did_you_mean(event, known, otherwise="its events are")
    raise Failure(f"{chart.name} has no event {event!r}" + (f"; {hint}" if hint else ""))


def _placed(chart: Chart, state: str | None, fields: Mapping[str, str]) -> RunState:
    node = None
    if state is not None:
        node = chart.find(state)
        if node is None or node.kind == "history":
            raise click.BadParameter(_unknown_state(chart, state, node), param_hint="--in")
    hints = chart.behaviour.context.hints
    values = {name: _value(name, text, hints.get(name)) for name, text in fields.items()}
    try:
        if node is not None and node.parent is not None:
            return run_state_at(chart, node.path, values)
        start = start_plan(chart)
        any_state = run_state_at(chart, chart.nodes[start.to.leaves[0]].path, values)
        return any_state._replace(leaves=start.to.leaves)
    except FsmVoiceError as error:
        raise Failure(str(error)) from None


def _unknown_state(chart: Chart, state: str, node: Node | None) -> str:
    if node is not None:
        return f"{state!r} is a history state, which is never active"
    same = [other.path for other in chart.nodes[1:] if other.key == state]
    if len(same) > 1:
        return f"there are {len(same)} states called {state!r}: {', '.join(same)}"
    known = [name for other in chart.nodes[1:] if other.kind != "history" for name in (other.path, other.key)]
    return f"{chart.name} has no state {state!r}; {did_you_mean(state, known, otherwise='its states are')}"


def _pairs(given: Sequence[str], option: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{pair!r} should be NAME=VALUE", param_hint=option)
        found[name.strip()] = value
    return found


def _value(name: str, text: str, hint: Any) -> Any:
    """A typed value converted to the type of its field; for a field without a type, JSON or else a string."""
    if text in ("null", "None"):
        return None
    if hint is not None:
        try:
            return coerce(text, hint)
        except NotThat as error:
            raise click.BadParameter(f"{name}: {error}", param_hint="--with") from None
    try:
        return json.loads(text)
    except ValueError:
        return text


class _Why:
    """The explanation, as text and as JSON."""

    def __init__(
        self,
        chart: Chart,
        state: RunState,
        event: str,
        payload: Mapping[str, Any],
        faults: Sequence[Fault],
        *,
        bound: bool,
    ) -> None:
        self.chart, self.event, self.faults, self.bound = chart, event, tuple(faults), bound
        self.snapshot: Snapshot[Any] = Snapshot(chart, state)
        self.payload = payload
        self.asked: tuple[Asked, ...] = () if faults else asked(chart, state, event, payload)

    @property
    def ok(self) -> bool:
        return any(one.answer == "taken" for one in self.asked)

    @property
    def unknown(self) -> bool:
        """Whether a guard decides whose function was not given."""
        return not self.bound and any(one.answer == "failed" for one in self.asked)

    @property
    def verdict(self) -> str:
        if self.faults:
            return "its arguments don't fit"
        if self.snapshot.done:
            return "the machine is done; no event is taken"
        if not self.asked:
            return "no active state has a transition for it"
        if self.unknown:
            return "a guard decides whose function is not known; give the functions with --behaviour FILE"
        targets = [str(node) for one in self.asked if one.answer == "taken" for node in one.arc.targets]
        if self.ok:
            return f"it leads to {' and '.join(targets)}" if targets else "it is taken, and the state does not change"
        if any(one.answer == "failed" for one in self.asked):
            return "a guard failed; the event raises an error, and nothing changes"
        return "no transition takes it"

    @property
    def say(self) -> str:
        """The spoken refusal; '' if the event is taken, or if that is not known."""
        if self.ok or self.unknown or self.snapshot.done or any(one.answer == "failed" for one in self.asked):
            return ""
        speech = make_speech() if self.chart.behaviour.speak is None else self.chart.behaviour.speak
        if self.faults and isinstance(speech, Speech):
            return speech.arguments(self.snapshot, self.event, self.faults)
        refusal = next((one.detail for one in self.asked if one.answer == "refused"), "")
        arcs = tuple(one.arc.config for one in self.asked if one.answer in ("said no", "forbids"))
        return refusal or speech.reason(self.snapshot, self.event, arcs, self.payload)

    def text(self) -> str:
        carried = ", ".join(f"{name}={json_value(value)!r}" for name, value in self.payload.items())
        lines = [
            click.style(f"{self.event} in {self.snapshot.value!r}" + (f" with {carried}" if carried else ""), bold=True)
        ]
        lines += [f"  {fault.message}" + (f"; {fault.hint}" if fault.hint else "") for fault in self.faults]
        for number, one in enumerate(self.asked, 1):
            colour = {"taken": "green", "not asked": None}.get(one.answer, "yellow")
            lines.append(f"  {number}. {_arc(one)}: {click.style(self._answer(one), fg=colour)}")
            lines.append(click.style(f"     {one.arc.where}", dim=True))
        lines.append(f"  → {self.verdict}")
        if self.say:
            lines.append(f"  It says: {self.say}")
        return "\n".join(lines)

    def _answer(self, one: Asked) -> str:
        guard = one.arc.guard
        if guard is None:
            return {"taken": "taken, it has no guard", "forbids": "forbids it"}.get(one.answer, one.answer)
        if one.answer == "taken":
            return f"guard {guard.name!r} said yes, taken"
        if one.answer == "failed" and not self.bound:
            return f"guard {guard.name!r} is not known"
        answer = f"guard {guard.name!r} {one.answer}" if one.answer != "not asked" else "not asked"
        return f"{answer}: {one.detail}" if one.detail else answer

    def data(self) -> dict[str, Any]:
        """The explanation as JSON-ready data."""
        winner = next((one.arc for one in self.asked if one.answer == "taken"), None)
        return {
            "event": self.event,
            "state": self.snapshot.value,
            "ok": self.ok,
            "candidates": [
                {
                    "source": str(one.arc.source),
                    "target": [str(node) for node in one.arc.targets],
                    "guard": None if one.arc.guard is None else one.arc.guard.name,
                    "answer": "unknown" if one.answer == "failed" and not self.bound else one.answer,
                    "detail": one.detail if self.bound else "",
                    "where": one.arc.where,
                }
                for one in self.asked
            ],
            "winner": None if winner is None else winner.where,
            "faults": [{"kind": fault.kind, "name": fault.name, "message": fault.message} for fault in self.faults],
            "verdict": self.verdict,
            "say": self.say,
        }


def _arc(one: Asked) -> str:
    arc = one.arc
    return f"{arc.source} --{arc.event}--> {', '.join(map(str, arc.targets)) or '(stays)'}"
