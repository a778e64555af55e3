"""`--reload`: run the server as a child process, and restart it when the target changes."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import FrameType

import click

INTERVAL = 0.3
"""Seconds between checks of the files."""
PATIENCE = 5
"""Seconds that the server has to stop before it is killed."""


def supervise(target: str, behaviour: Path | None = None) -> int:
    """Run this command without `--reload`, and restart it at each change, until Ctrl-C. Returns the exit code."""
    command = [sys.executable, "-m", "fsmvoice.cli", *(arg for arg in sys.argv[1:] if arg != "--reload")]
    # SIGINT too: a script's background processes ignore it by default, and then nothing would stop this one.
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    server = _start(command)
    try:
        seen = stamps(watched(target, behaviour))
        told = False
        while True:
            time.sleep(INTERVAL)
            now = stamps(watched(target, behaviour))
            if now == seen:
                if server.poll() is not None and not told:
                    told = True
                    click.echo("The server has stopped; waiting for a change, or Ctrl-C.", err=True)
                continue
            told = False
            changed = sorted(path.name for path in now.keys() | seen.keys() if now.get(path) != seen.get(path))
            seen = now
            click.echo(f"\n{', '.join(changed)} changed; restarting.", err=True)
            _stop(server)
            server = _start(command)
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(server)
        for number, handler in before.items():
            signal.signal(number, handler)


def watched(target: str, behaviour: Path | None = None) -> set[Path]:
    """The target's file, the behaviour's, and the Python files beside them."""
    files = {path for path in (_file_of(target), behaviour) if path is not None}
    return files | {beside for path in files for beside in path.parent.glob("*.py")}


def stamps(files: Iterable[Path]) -> dict[Path, int]:
    """The modification time of each file. A missing one, such as while an editor saves it, is left out."""
    found: dict[Path, int] = {}
    for path in files:
        try:
            found[path] = path.stat().st_mtime_ns
        except OSError:
            continue
    return found


def _file_of(target: str) -> Path | None:
    for text in (target, target.rpartition(":")[0]):
        if text and Path(text).is_file():
            return Path(text)
    name = target.partition(":")[0]
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec and spec.origin else None


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command)  # noqa: S603 - the user's own command line


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
