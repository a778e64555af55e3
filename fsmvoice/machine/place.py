"""`Place`: a line in the user's source, for error messages."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

_PACKAGE = __name__.partition(".")[0] + "."


class Place(NamedTuple):
    """A file and a line. Its text is like `examples/coffee.py:12`, relative if inside the working directory."""

    filename: str
    line: int

    def __str__(self) -> str:
        shown = self.filename
        if os.path.isabs(shown):
            relative = os.path.relpath(shown)
            shown = shown if relative.startswith(os.pardir) else relative
        return f"{shown}:{self.line}"


def here() -> Place:
    """The currently running line outside this package."""
    frame = user_frame()
    return Place(frame.f_code.co_filename, frame.f_lineno)


def user_frame() -> FrameType:
    """The innermost frame outside this package."""
    frame = inspect.currentframe()
    assert frame is not None  # CPython and PyPy support frames
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def place_of(function: Callable[..., Any]) -> Place:
    """The place where a function is defined."""
    code = function.__code__
    return Place(code.co_filename, code.co_firstlineno)
