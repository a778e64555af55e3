"""`to_hassil`: Home Assistant's custom sentences (hassil intents) as YAML, restricted to the states that take them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import snake_case
from fsmvoice.model.nodes import Node
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.voice.templates import Choice, Part, Series, SlotRef, Text
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of

CONTEXT = "fsm_state"
"""The context key under which the caller passes hassil the dotted path of the state."""

_SIGNS = r"[.。,，?¿？؟!¡！;；:：…—–―\"“”„«»]+"
_DROPPED = re.compile(rf"(?<!\w){_SIGNS}|{_SIGNS}(?!\w)")
_YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that YAML reads as something else than a text."""


def to_hassil(chart: Chart, locale: str | None = None) -> str:
    """Write the sentences of a machine. Each requires the context `fsm_state` to be a state that takes its event.

    Raises:
        DefinitionError: for invalid templates.
        MissingExtra: if there are templates and hassil is not installed.
    """
    hearing = hearing_of(chart, locale)
    intents: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    for event in hearing.events.values():
        states = states_of(chart, event.event)
        if not states:
            continue
        names: dict[str, str] = {}
        for name, values in event.values.items():
            key = names[name] = _list_name(event, name, lists)
            lists[key] = _values(values.kind, values.said, values.numbers)
        sentences = [_template(template.part, names).strip() for template in event.templates]
        sentences += [_named(bare, names) for bare in hearing.bare(event)]
        block = {"sentences": list(dict.fromkeys(filter(None, sentences))), "requires_context": {CONTEXT: states}}
        intents[event.event] = {"data": [block]}
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


def _list_name(event: Utterances, name: str, taken: Collection[str]) -> str:
    base = f"{snake_case(event.event).strip('_')}_{snake_case(name).strip('_')}"
    return next(key for number in count(1) if (key := base if number == 1 else f"{base}_{number}") not in taken)


def _values(kind: str, said: Sequence[str], numbers: tuple[int, int] | None) -> dict[str, Any]:
    if numbers is not None:
        return {"range": {"from": numbers[0], "to": numbers[1]}}
    if kind == "free":
        return {"wildcard": True}
    written = [(_plain(text).strip(), text) for text in said]
    return {"values": [text if text == plain else {"in": plain, "out": text} for plain, text in written if plain]}


def _named(sentence: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: f"{{{names[slot[1]]}:{slot[1]}}}", sentence)


def _plain(text: str) -> str:
    """Words without the signs that hassil drops from what it hears, and with those of its own syntax escaped."""
    return re.sub(r"([()\[\]{}<>|;\\])", r"\\\1", _DROPPED.sub("", text))


def _template(part: Part, names: Mapping[str, str]) -> str:
    """A template in hassil's syntax, with the names of our lists."""
    if isinstance(part, Text):
        return _plain(part.text)
    if isinstance(part, SlotRef):
        return f"{{{names[part.name]}:{part.name}}}"
    if isinstance(part, Series):
        return "".join(_template(item, names) for item in part.parts)
    said = [_template(item, names) for item in part.parts]
    options = [text for text in dict.fromkeys(said) if text]
    optional = "" in said or any(isinstance(item, Choice) and not item.parts for item in part.parts)
    if not options:
        return ""
    return f"[{'|'.join(options)}]" if optional else f"({'|'.join(options)})"


def _yaml(value: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Lines of YAML: block objects and lists, with scalars in JSON syntax."""
    for key, item in value.items():
        is_bare = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key) and key.lower() not in _YAML_WORDS
        name = key if is_bare else json.dumps(key, ensure_ascii=False)
        if is_object(item) and item:
            yield f"{indent}{name}:"
            yield from _yaml(item, indent + "  ")
        elif is_list(item) and item:
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
