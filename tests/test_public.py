"""What a user may need has a name in `fsmvoice`."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterator

import fsmvoice


def documented(name: str) -> Iterator[str]:
    """The docstrings of a public name and of its public methods."""
    value = getattr(fsmvoice, name)
    yield value.__doc__ or ""
    for base in inspect.getmro(value) if inspect.isclass(value) else ():
        if base.__module__.startswith("fsmvoice"):
            yield from (member.__doc__ or "" for name, member in vars(base).items() if not name.startswith("_"))


def test_every_error_that_a_public_docstring_names_is_public() -> None:
    named = {
        error
        for name in fsmvoice.__all__
        for doc in documented(name)
        for section in re.findall(r"Raises:\n((?: +\S.*\n?)+)", doc)
        for error in re.findall(r"^ +([A-Z]\w+):", section, re.M)
    }
    assert {"ContextError", "CallFailed", "UnknownResource", "StoreFull"} <= named
    assert {error for error in named if not hasattr(builtins, error)} <= set(fsmvoice.__all__)
