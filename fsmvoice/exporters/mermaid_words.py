"""The ids and labels of a Mermaid state diagram, escaped for its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fsmvoice.exporters.drawn import visible
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
"""Keywords of the grammar, which ignores case, and names with a meaning in JavaScript."""


class Ids:
    """A valid and unique Mermaid id for each state: its key if possible, else its path."""

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
            # Mermaid derives the ids of start and end points from the state that contains them.
            taken |= {unique.lower(), f"{unique}_start".lower(), f"{unique}_end".lower()}
            self._ids[node.index] = unique

    def __getitem__(self, node: TreeNode) -> str:
        return self._ids[node.index]


def _is_word(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII)) and name.lower() not in _RESERVED


def escape(text: str) -> str:
    """`text` with every character that could have a meaning in Mermaid's grammar as a character code."""
    return re.sub(r"[^\w \-.,()'!?/+*=\[\]]|--+|^ +| +$", _code, visible(text)) or "#32;"


def _code(match: re.Match[str]) -> str:
    return "".join(f"#{ord(character)};" for character in match.group())


def edge_label(words: Iterable[str]) -> str:
    """` : EVENT [guard] / action, action`; '' if there are no words."""
    text = " ".join(words)
    return f" : {escape(text)}" if text else ""
