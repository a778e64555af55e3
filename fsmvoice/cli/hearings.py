"""The speech formats of `fsmvoice convert`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from fsmvoice.cli.problem import Failure
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.errors import did_you_mean
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.chart import Chart
from fsmvoice.voice.authored import own_locale
from fsmvoice.voice.exports.addon import to_addon
from fsmvoice.voice.exports.alexa import to_alexa
from fsmvoice.voice.exports.hassil_intents import to_hassil
from fsmvoice.voice.exports.jsgf import to_jsgf

Writer = Callable[[Chart, "str | None", str], str]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


HEARINGS: Mapping[str, Writer] = {
    "addon": lambda chart, locale, doc: _json(to_addon(chart, doc, locale)),
    "alexa": lambda chart, locale, _: _json(to_alexa(chart, locale)),
    "hassil": lambda chart, locale, _: to_hassil(chart, locale),
    "jsgf": lambda chart, locale, _: to_jsgf(chart, locale=locale),
}


def heard_as(chart: Chart, machine: object, to: str, *, state: str | None = None, locale: str | None = None) -> str:
    """Write a machine in a speech format.

    Args:
        machine: the class, for its docstring.
        state: for a grammar, the only state to include.

    Raises:
        Failure: if there is no such state, or the format does not depend on states.
        DefinitionError: if the format can't express the machine.
        MissingExtra: if there are templates and hassil is not installed.
    """
    tag = locale or own_locale(chart.config)
    if state is None:
        return HEARINGS[to](chart, tag, _doc(machine))
    if to != "jsgf":
        raise Failure(f"--state can be used only with --to jsgf; {to} includes every state")
    node = chart.find(state)
    if node is None:
        raise Failure(f"there is no state {state!r}; {did_you_mean(state, [it.path for it in chart.nodes if it.path])}")
    leaves = [it.index for it in chart.nodes if it.is_leaf and (it is node or node.holds(it))]
    events = {event for leaf in leaves for event in configuration_of(chart, (leaf,)).events}
    return to_jsgf(chart, events, tag)


def _doc(machine: object) -> str:
    if not isinstance(machine, type) or not issubclass(machine, VoiceMachine) or not machine.__doc__:
        return ""
    return inspect.cleandoc(machine.__doc__)
