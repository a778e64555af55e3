"""Line editing and history for typed input, where readline is available."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator
from pathlib import Path

MAX_LINES = 1000


@contextlib.contextmanager
def line_editing() -> Generator[None]:
    """Enable line editing, with a history file in the user's state folder."""
    try:
        import readline  # noqa: PLC0415 - optional: Windows has none
    except ImportError:
        yield
        return
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    file = Path(base) / "fsmvoice" / "talk_history"
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    try:
        yield
    finally:
        readline.set_history_length(MAX_LINES)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            readline.write_history_file(file)
            file.chmod(0o600)
