"""The translatable texts of a machine, with their keys in a locale file."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import INTERNAL, Arc, Node
from fsmvoice.model.payload import Parameter, choices_of
from fsmvoice.voice.authored import event_texts, guard_reason, prompts, text_of
from fsmvoice.voice.formats import parts_of
from fsmvoice.voice.values import words

Key: TypeAlias = tuple[str, ...]
WHOLE = "*"
"""The key of the machine itself in a locale file, in place of a state's path."""


class Entry(NamedTuple):
    """A translatable text, a state's prompts, or an event's utterances.

    Attributes:
        key: the tables and the key in a locale file, such as `("events", "ORDER", "label")`.
        texts: the originals in the machine's own language. Utterances may have none.
        many: whether the value may be a list.
        arc: for the text of a transition, the `id()` of its config; else 0.
        said: for the text of a transition, "says" or "reason"; else "".
    """

    key: Key
    texts: tuple[str, ...]
    many: bool = False
    arc: int = 0
    said: Literal["", "says", "reason"] = ""


def entries(chart: Chart) -> tuple[Entry, ...]:
    """The translatable texts of a machine, in the order of a locale file."""
    found: tuple[Entry, ...] | None = chart.notes.get("entries")
    if found is None:
        every = (*_states(chart), *_events(chart), *_guards(chart), *_arcs(chart), *_names(chart), *_values(chart))
        found = chart.notes["entries"] = tuple(every)
    return found


def state_key(chart: Chart, node: Node) -> str:
    """The key of a state in a locale file."""
    return WHOLE if node is chart.root else chart.name_of(node)


def value_key(value: object) -> str:
    """The key of an enum or Literal value in a locale file."""
    if isinstance(value, enum.Enum):
        return value.value if isinstance(value.value, str) else value.name
    return str(value)


def spoken_name(parameter: Parameter) -> str:
    """The spoken name of a parameter: the title of its `Field`, or else its name as words."""
    for part in parts_of(parameter.annotation):
        title = getattr(part, "title", None)
        if isinstance(title, str) and not isinstance(part, type | str) and title.strip():
            return title
    return words(parameter.name)


def _states(chart: Chart) -> Iterator[Entry]:
    for node in chart.nodes:
        texts = prompts(node.config)
        if texts:
            yield Entry(("states", state_key(chart, node), "prompt"), texts, many=True)


def _events(chart: Chart) -> Iterator[Entry]:
    for event in chart.events:
        own = event_texts(chart.config, event)
        if own.spoken:
            yield Entry(("events", event, "label"), (own.label,))
        for word in ("says", "confirm", "working"):
            text: str | None = getattr(own, word)
            if text:
                yield Entry(("events", event, word), (text,))
        if own.spoken:
            yield Entry(("events", event, "utterances"), own.utterances, many=True)


def _guards(chart: Chart) -> Iterator[Entry]:
    used = dict.fromkeys(arc.guard.name for node in chart.nodes for arc in _all_arcs(node) if arc.guard is not None)
    for name in used:
        text = guard_reason(chart.config, name)
        if text:
            yield Entry(("guards", name, "reason"), (text,))


def _arcs(chart: Chart) -> Iterator[Entry]:
    taken: dict[Key, int] = {}
    for node in chart.nodes:
        for arc in _all_arcs(node):
            for said in ("reason", "says"):
                text = text_of(arc.config.meta, said)
                if text is None:
                    continue
                key = _arc_key(chart, node, arc, said)
                number = taken[key] = taken.get(key, 0) + 1
                if number > 1:
                    at = 1 if key[0] == "after" else 2
                    key = (*key[:at], f"{key[at]} {number}", *key[at + 1 :])
                yield Entry(key, (text,), arc=id(arc.config), said="says" if said == "says" else "reason")


def _arc_key(chart: Chart, node: Node, arc: Arc, said: str) -> Key:
    """The key of an arc's text. Arcs without an event are keyed by their action, such as an `@after` method."""
    by_itself = not arc.event or arc.event.startswith(INTERNAL)
    if not by_itself:
        return ("forbidden" if said == "reason" else "says", state_key(chart, node), arc.event)
    actions = arc.config.actions
    kind = "always" if not arc.event else arc.event.removeprefix(INTERNAL).rpartition(f".{node.id}")[0] or "done"
    name = actions[0].type if actions else f"{state_key(chart, node)} {kind}"
    return ("after", name, said)


def _all_arcs(node: Node) -> Iterator[Arc]:
    for arcs in node.on.values():
        yield from arcs
    yield from node.always


def _names(chart: Chart) -> Iterator[Entry]:
    told: dict[str, str] = {}
    for parameter in _parameters(chart):
        told.setdefault(parameter.name, spoken_name(parameter))
    for name, text in told.items():
        yield Entry(("parameters", name), (text,))


def _values(chart: Chart) -> Iterator[Entry]:
    """The choices of parameters and context fields that are spoken as words."""
    known: Mapping[str, Any] = {
        **chart.behaviour.context.hints,
        **{parameter.name: parameter.annotation for parameter in _parameters(chart)},
    }
    private = chart.behaviour.context.private
    for name, annotation in known.items():
        if name in private:
            continue
        for value in _listed(annotation):
            yield Entry(("values", name, value_key(value)), (_own_label(value),))


def _listed(annotation: Any) -> tuple[Any, ...]:
    choices = choices_of(annotation)
    if choices is None:
        inner = next(iter(getattr(annotation, "__args__", ())), None) if _is_list(annotation) else None
        choices = None if inner is None else choices_of(inner)
    return tuple(choice for choice in choices or () if isinstance(choice, str | enum.Enum))


def _is_list(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", None) in (list, tuple, set, frozenset)


def _own_label(value: object) -> str:
    told = getattr(value, "label", None)
    return told if isinstance(told, str) else value_key(value)


def _parameters(chart: Chart) -> Iterator[Parameter]:
    for event in chart.events:
        payload = chart.behaviour.payloads.get(event)
        if payload is not None and event_texts(chart.config, event).spoken:
            yield from payload.parameters.values()
