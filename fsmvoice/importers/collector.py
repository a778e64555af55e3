"""Python's garbage collector, while a large document is read."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

LARGE = 500_000
"""From how many bytes on a document is large."""


@contextmanager
def collector_paused(size: int) -> Generator[None]:
    """Pause the collector for a document of so many bytes, if that is large.

    It would look again and again through millions of new objects that are all kept, which takes a third of the time.
    """
    if size < LARGE or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
