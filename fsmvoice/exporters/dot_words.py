"""The labels of a DOT picture, escaped and wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsmvoice.exporters.drawn import visible

LINE = 24
"""The maximum number of characters of a list of actions on one line."""
FAINT = "#5b6472"
"""The colour of secondary text: guards, actions, and what a state does."""

_LEFT = '<br align="left"/>'

_CODES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "]": "&#93;"}
"""`]` is included because Graphviz reads a label in pieces, and fails on one that starts with `]]`."""


def escape(text: str) -> str:
    """`text` escaped for an HTML-like label. Spaces that Graphviz or a browser would drop become `&#160;`."""
    safe = "".join(_CODES.get(character, character) for character in visible(text))
    safe = re.sub(r"^ +| +$|(?<= ) +", lambda match: "&#160;" * len(match[0]), safe) or "&#160;"
    return re.sub(r"\\(?=[EGHLNT])", r"<font>\\</font>", safe)  # as one piece, `\N` would become the node's name


def state_label(title: str, remarks: Sequence[str], *, framed: bool = False) -> str:
    """A state's name, with what it does in small print below. `framed` adds space above, for the label of a frame."""
    lines = [line for remark in remarks for line in _wrapped(remark)]
    small = "".join(f'{_LEFT}<font point-size="10" color="{FAINT}">{escape(line)}</font>' for line in lines)
    name = f"<b>{escape(title)}</b>"
    if framed:
        return f'<<font point-size="4"><br/></font>{name}{small}{_LEFT}>'
    return f"<{name}{small}{_LEFT}>" if small else f"<{name}>"


def arc_label(words: Sequence[str]) -> str:
    """An arc's trigger, with its guard and actions in a fainter colour on the lines below.

    A label on one long line would extend beyond the frame around its arrow, because Graphviz makes no room for it. The
    space before each line separates it from the arrow.
    """
    lines = [line for word in words for line in _wrapped(word)]
    if not lines:
        return '""'
    first, *rest = (f"&#160;{escape(line)}" for line in lines)
    faint = "".join(f'<font color="{FAINT}">{line}</font>{_LEFT}' for line in rest)
    return f"<{first}{_LEFT}{faint}>"


def _wrapped(text: str) -> Iterator[str]:
    """The lines of a list of actions, wrapped after commas. Any other text is one line."""
    first, *rest = re.split(r"(?<=,) ", text)
    line = first
    for part in rest:
        if len(line) + len(part) < LINE:
            line = f"{line} {part}"
        else:
            yield line
            line = part
    yield line
