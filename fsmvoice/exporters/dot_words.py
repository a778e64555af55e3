"""The words of a DOT picture: labels that no character can break, on lines that are not too long."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsmvoice.exporters.drawn import visible

LINE = 24
"""How many characters of a list of actions stand on a line."""
FAINT = "#5b6472"
"""The colour of what is said second: guards, actions, what a state does."""

_LEFT = '<br align="left"/>'

_CODES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "]": "&#93;"}
"""`]` too: Graphviz reads a label in pieces, and fails where one begins with `]]`."""


def escape(text: str) -> str:
    """`text` for an HTML-like label. Spaces that Graphviz or a browser would drop are made to stay."""
    safe = "".join(_CODES.get(character, character) for character in visible(text))
    safe = re.sub(r"^ +| +$|(?<= ) +", lambda match: "&#160;" * len(match[0]), safe) or "&#160;"
    return re.sub(r"\\(?=[EGHLNT])", r"<font>\\</font>", safe)  # as one piece, `\N` would become the node's name


def state_label(title: str, remarks: Sequence[str], *, framed: bool = False) -> str:
    """A state's name, and in small letters below what it does; `framed` keeps it off the line above it."""
    lines = [line for remark in remarks for line in _wrapped(remark)]
    small = "".join(f'{_LEFT}<font point-size="10" color="{FAINT}">{escape(line)}</font>' for line in lines)
    name = f"<b>{escape(title)}</b>"
    if framed:
        return f'<<font point-size="4"><br/></font>{name}{small}{_LEFT}>'
    return f"<{name}{small}{_LEFT}>" if small else f"<{name}>"


def arc_label(words: Sequence[str]) -> str:
    """What sets an arc off, with its guard and actions fainter on lines below.

    A label on one long line would stick out of the frame that its arrow lies in: Graphviz makes no room for it. A space
    before each line keeps it off the arrow.
    """
    lines = [line for word in words for line in _wrapped(word)]
    if not lines:
        return '""'
    first, *rest = (f"&#160;{escape(line)}" for line in lines)
    faint = "".join(f'<font color="{FAINT}">{line}</font>{_LEFT}' for line in rest)
    return f"<{first}{_LEFT}{faint}>"


def _wrapped(text: str) -> Iterator[str]:
    """A list of actions on lines, cut after its commas; all else on one."""
    first, *rest = re.split(r"(?<=,) ", text)
    line = first
    for part in rest:
        if len(line) + len(part) < LINE:
            line = f"{line} {part}"
        else:
            yield line
            line = part
    yield line
