"""`to_hassil`: Home Assistant's custom sentences (hassil intents) as YAML, restricted to the states that take them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import snake_case
from fsmvoice.model.nodes import Node
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.voice.templates import Choice, Part, Series, SlotRef, Text
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of

CONTEXT = "fsm_state"
"""The context key under which the caller passes hassil the dotted path of the state."""


def to_hassil(chart: Chart, locale: str | None = None) -> str:
    """Write the sentences of a machine. Each requires the context `fsm_state` to be a state that takes its event.

    Raises:
        DefinitionError: for invalid templates, and for events whose list names collide.
        MissingExtra: if there are templates and hassil is not installed.
    """
    hearing = hearing_of(chart, locale)
    intents: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    problems: list[Problem] = []
    for event in hearing.events.values():
        states = states_of(chart, event.event)
        if not states:
            continue
        for name, values in event.values.items():
            key = _list_name(event, name)
            if key in lists:
                problems.append(Problem(f"event {event.event!r}", f"makes the list {key!r}, as another event does"))
            lists[key] = _values(values.kind, values.said, values.numbers)
        sentences = [_template(template.part, event) for template in event.templates]
        sentences += [_named(bare, event) for bare in hearing.bare(event)]
        block = {"sentences": list(dict.fromkeys(sentences)), "requires_context": {CONTEXT: states}}
        intents[event.event] = {"data": [block]}
    if problems:
        raise DefinitionError(f"the sentences of {chart.name}", problems)
    found: dict[str, Any] = {"language": _language(hearing), "intents": intents}
    return "\n".join(_yaml({**found, "lists": lists} if lists else found)) + "\n"


def states_of(chart: Chart, event: str) -> list[str]:
    """The paths of the leaf states in which an event may be taken, in document order."""
    found: dict[str, None] = {}
    for node in chart.nodes:
        if node.is_leaf and any(event in above.config.on for above in _upward(node)):
            found[node.path] = None
    return list(found)


def _upward(node: Node) -> Iterator[Node]:
    here: Node | None = node
    while here is not None:
        yield here
        here = here.parent


def _language(hearing: Hearing) -> str:
    return hearing.roles.tag


def _list_name(event: Utterances, name: str) -> str:
    return f"{snake_case(event.event).strip('_')}_{snake_case(name).strip('_')}"


def _values(kind: str, said: Sequence[str], numbers: tuple[int, int] | None) -> dict[str, Any]:
    if numbers is not None:
        return {"range": {"from": numbers[0], "to": numbers[1]}}
    return {"wildcard": True} if kind == "free" else {"values": list(said)}


def _named(sentence: str, event: Utterances) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: f"{{{_list_name(event, slot[1])}:{slot[1]}}}", sentence)


def _template(part: Part, event: Utterances) -> str:
    """A template in hassil's syntax, with the names of our lists."""
    if isinstance(part, Text):
        return re.sub(r"([()\[\]{}<>|;\\])", r"\\\1", part.text)
    if isinstance(part, SlotRef):
        return f"{{{_list_name(event, part.name)}:{part.name}}}"
    if isinstance(part, Series):
        return "".join(_template(item, event) for item in part.parts)
    said = [_template(item, event) for item in part.parts]
    options = [text for text in dict.fromkeys(said) if text]
    optional = "" in said or any(isinstance(item, Choice) and not item.parts for item in part.parts)
    return f"[{'|'.join(options)}]" if optional else f"({'|'.join(options)})"


def _yaml(value: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Lines of YAML: block objects and lists, with scalars in JSON syntax."""
    for key, item in value.items():
        name = key if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key) else json.dumps(key)
        if is_object(item):
            yield f"{indent}{name}:"
            yield from _yaml(item, indent + "  ")
        elif is_list(item):
            yield f"{indent}{name}:"
            yield from _items(item, indent + "  ")
        else:
            yield f"{indent}{name}: {json.dumps(item, ensure_ascii=False)}"


def _items(items: Iterable[Any], indent: str) -> Iterator[str]:
    for item in items:
        if is_object(item):
            lines = list(_yaml(item, indent + "  "))
            yield f"{indent}- {lines[0].lstrip()}"
            yield from lines[1:]
        else:
            yield f"{indent}- {json.dumps(item, ensure_ascii=False)}"
