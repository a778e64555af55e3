"""The words of a Mermaid state diagram: ids that its grammar takes, and labels that no character can break."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from fsmvoice.model.config import Named, StateConfig
from fsmvoice.model.tree import Tree, TreeNode

_RESERVED = frozenset(
    {
        "accdescr",
        "acctitle",
        "as",
        "choice",
        "class",
        "classdef",
        "click",
        "constructor",
        "default",
        "direction",
        "end",
        "fork",
        "hasownproperty",
        "hide",
        "href",
        "join",
        "note",
        "prototype",
        "root",
        "scale",
        "state",
        "statediagram",
        "style",
        "tostring",
        "valueof",
        "__proto__",
    }
)
"""Words of the grammar (it ignores case), and names that mean something to the JavaScript that draws."""


class Ids:
    """A safe and unique Mermaid id for each state; its key where that will do, else its path."""

    def __init__(self, tree: Tree) -> None:
        self._ids: dict[int, str] = {}
        keys = [node.key for node in tree.nodes]
        taken: set[str] = set()
        for node in sorted(tree.nodes, key=lambda node: not _is_word(node.key)):
            plain = _is_word(node.key) and keys.count(node.key) == 1
            name = node.key if plain else re.sub(r"\W+", "_", node.path or node.key, flags=re.ASCII).strip("_")
            if not plain and not _is_word(name):
                name = f"state_{name}" if name else "state_"
            unique, number = name, 2
            while unique.lower() in taken:
                unique, number = f"{name}_{number}", number + 1
            # The diagram's own start and end points are named after the state they are in.
            taken |= {unique.lower(), f"{unique}_start".lower(), f"{unique}_end".lower()}
            self._ids[node.index] = unique

    def __getitem__(self, node: TreeNode) -> str:
        return self._ids[node.index]


def _is_word(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII)) and name.lower() not in _RESERVED


def escape(text: str) -> str:
    """`text` with every character that Mermaid could read as its own written as a character code."""
    return re.sub(r"[^\w \-.,()'!?/+*=\[\]]|--+|^ +| +$", _code, text) or "#32;"


def _code(match: re.Match[str]) -> str:
    return "".join(f"#{ord(character)};" for character in match.group())


def edge_label(event: str, guard: Named | None, actions: Sequence[Named], *, plain: bool = False) -> str:
    """` : EVENT [guard] / action, action`, or without the colon and unescaped if `plain`; '' if it says nothing."""
    parts = [event] if event else []
    if guard is not None:
        parts.append(f"[{guard.type}]")
    if actions:
        parts.append("/ " + ", ".join(action.type for action in actions))
    text = " ".join(parts)
    return text if plain or not text else f" : {escape(text)}"


def remarks(config: StateConfig) -> list[str]:
    """What a state does that is no arrow: its entry and exit actions, and the services that run in it."""
    lines = [f"entry / {', '.join(action.type for action in config.entry)}"] if config.entry else []
    if config.exit:
        lines.append(f"exit / {', '.join(action.type for action in config.exit)}")
    return lines + [f"do / {service.src}" for service in config.invoke]


def wait(delay: str) -> str:
    """A delay of `after`: milliseconds as people say them, a name as it is."""
    if not delay.isdecimal():
        return f"after {delay}"
    rest = timedelta(milliseconds=int(delay))
    parts: list[str] = []
    for unit, size in (
        ("d", timedelta(days=1)),
        ("h", timedelta(hours=1)),
        ("min", timedelta(minutes=1)),
        ("s", timedelta(seconds=1)),
        ("ms", timedelta(milliseconds=1)),
    ):
        count, rest = divmod(rest, size)
        parts += [f"{count} {unit}"] if count else []
    return f"after {' '.join(parts) or '0 ms'}"
