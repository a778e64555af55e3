"""The spoken texts in a config's `meta`, and their problems.

Users may keep their own data in `meta`, so unknown keys are accepted, unless they look like a misspelling of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.model.config import FsmConfig, TransitionConfig
from fsmvoice.model.forms import step
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.model.slots import is_field, lone_brace, lone_bracket, slots_of
from fsmvoice.model.tree import Tree, arcs_in, arcs_of


def check_texts(tree: Tree) -> list[Problem]:
    """The problems with the texts of a config."""
    config, arcs = tree.config, _arcs(tree)
    problems: list[Problem] = []
    for node in tree.nodes:
        if node.config.meta:
            problems += _own(node.config.meta, f"{node.where}.meta", _STATE)
    for where, arc in arcs:
        if arc.meta:
            problems += _own(arc.meta, f"{where}.meta", _ARC)
    problems += _own(config.meta, "$.meta", _ROOT)
    events = [event for node in tree.nodes for event, handlers in node.config.on.items() for _ in handlers]
    problems += _entries(config.meta, "events", _EVENT, events)
    problems += _entries(config.meta, "guards", _GUARD, _guards(tree))
    for where, text in _spoken(tree, arcs):
        problems += _slots(where, text)
    return problems


def spoken_texts(config: FsmConfig) -> Iterator[tuple[str, str]]:
    """Every text of a config that may contain slots, with its JSON path."""
    tree = Tree(config)
    yield from _spoken(tree, _arcs(tree))


def _arcs(tree: Tree) -> list[tuple[str, TransitionConfig]]:
    """The arcs that have a meta, with their places."""
    return [
        (where, arc)
        for node in tree.nodes
        if any(arc.meta for arc in arcs_in(node.config))
        for where, arc in arcs_of(node.config, node.where)
        if arc.meta
    ]


def _spoken(tree: Tree, arcs: list[tuple[str, TransitionConfig]]) -> Iterator[tuple[str, str]]:
    config = tree.config
    for node in tree.nodes:
        if node.config.meta:
            yield from _texts_in(node.config.meta, f"{node.where}.meta", ("prompt",))
    for where, arc in arcs:
        if arc.meta:
            yield from _texts_in(arc.meta, f"{where}.meta", ("says", "reason"))
    for section, keys in (("events", ("says", "confirm", "working")), ("guards", ("reason",))):
        entries = (config.meta or {}).get(section)
        for name, entry in entries.items() if is_object(entries) else ():
            at = f"$.meta.{section}{step(name)}"
            if isinstance(entry, str):
                yield at, entry
            elif is_object(entry):
                yield from _texts_in(entry, at, keys)


def _texts_in(meta: Mapping[str, Any] | None, where: str, keys: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for key in keys:
        found = (meta or {}).get(key)
        if is_list(found):
            yield from ((f"{where}.{key}[{n}]", text) for n, text in enumerate(found) if isinstance(text, str))
        elif isinstance(found, str):
            yield f"{where}.{key}", found


def _slots(where: str, text: str) -> Iterator[Problem]:
    if lone_brace(text):
        yield Problem(where, "has an unmatched brace", "write {field}")
    for _, name, _ in slots_of(text):
        if name is not None and not is_field(name):
            hint = "a slot never reads an attribute, an index or a format"
            yield Problem(where, f"the slot {{{name}}} is not a plain field", hint)


_Kinds = Mapping[str, tuple[Callable[[Any], bool], str]]


def _own(meta: Mapping[str, Any] | None, where: str, kinds: _Kinds) -> Iterator[Problem]:
    """The problems with our keys in a `meta`, and with keys that look like a misspelling of them."""
    for key, value in (meta or {}).items():
        kind = kinds.get(key)
        if kind is None:
            meant = next((name for name, (fits, _) in kinds.items() if _is_slip(key, name) and fits(value)), None)
            if meant is not None and meant not in (meta or {}):
                yield Problem(f"{where}{step(key)}", "unknown key", f"did you mean {meant!r}?")
        elif value is not None and not kind[0](value):
            yield Problem(f"{where}.{key}", f"should be {kind[1]}, not {value!r:.60}")


def _entries(meta: Mapping[str, Any] | None, section: str, kinds: _Kinds, known: Collection[str]) -> Iterator[Problem]:
    entries = (meta or {}).get(section)
    for name, entry in entries.items() if is_object(entries) else ():
        at = f"$.meta.{section}{step(name)}"
        if name not in known and not (section == "events" and any(map(is_wildcard, known))):
            what = "no transition has this event" if section == "events" else "no transition has this guard"
            yield Problem(at, what, did_you_mean(name, known))
        if section == "guards" and isinstance(entry, str):
            continue
        if not is_object(entry):
            yield Problem(at, f"should be an object, not {entry!r:.60}", f"it may hold {', '.join(kinds)}")
            continue
        for word, value in entry.items():
            kind = kinds.get(word)
            if kind is None:
                hint = did_you_mean(word, kinds, otherwise="it may hold")
                yield Problem(f"{at}{step(word)}", "unknown key", hint)
            elif value is not None and not kind[0](value):
                yield Problem(f"{at}.{word}", f"should be {kind[1]}, not {value!r:.60}")
            elif word == "utterances":
                yield from _utterances(f"{at}.{word}", value)


def _utterances(where: str, value: Any) -> Iterator[Problem]:
    for utterance in [value] if isinstance(value, str) else value or ():
        lone = lone_bracket(utterance)
        if lone:
            hint = "write (one|other), [optional], {slot}"
            yield Problem(where, f"{utterance!r}: {lone!r} is unmatched", hint)


def _guards(tree: Tree) -> list[str]:
    arcs = (arc for node in tree.nodes for arc in arcs_in(node.config))
    return list(dict.fromkeys(arc.guard.type for arc in arcs if arc.guard is not None))


def _is_slip(word: str, key: str) -> bool:
    """Whether `word` is a misspelling of `key`: the same first letter, and at most one or two letters different."""
    plain, wanted = word.replace("_", "").replace("-", "").lower(), key.lower()
    return plain[:1] == wanted[:1] and _distance(plain, wanted) <= (2 if len(wanted) > 5 else 1)


def _distance(one: str, other: str) -> int:
    """The edit distance, counting a swap of neighbours as one edit; 3 stands for any larger distance in length."""
    if abs(len(one) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        before, row, last = row, [i], before
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return is_list(value) and bool(value) and all(isinstance(item, str) for item in value)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


_TEXT, _FLAG = (_is_text, "a string"), (_is_flag, "true or false")
_CHECKS = (is_object, "an object: a rule of fsmvoice check, and why it does not count")
_STATE: _Kinds = {
    "prompt": (lambda value: _is_text(value) or _is_texts(value), "a string, or a list of strings"),
    "checks": _CHECKS,
}
_ARC: _Kinds = {"says": _TEXT, "reason": _TEXT}
_ROOT: _Kinds = {
    "events": (is_object, "an object"),
    "guards": (is_object, "an object"),
    "locale": _TEXT,
    "restartWhenDone": _FLAG,
}
_EVENT: _Kinds = {
    "label": _TEXT,
    "says": _TEXT,
    "utterances": (lambda value: _is_text(value) or value in ([], ()) or _is_texts(value), "a list of strings"),
    "answers": (lambda value: value in ("yes", "no"), '"yes" or "no"'),
    "confirm": _TEXT,
    "destructive": _FLAG,
    "irreversible": _FLAG,
    "working": _TEXT,
    "tool": _FLAG,
    "description": _TEXT,
    "checks": _CHECKS,
}
_GUARD: _Kinds = {"reason": _TEXT}
