"""Two processes that serve one store, killed and started again."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from fsmvoice.server.listen import listen
from tests.faults.mutants import make_mutant
from tests.server.running import ROOT

MACHINE = "tests/faults/machine.py"


class Replica:
    """`fsmvoice serve` on one port, again and again."""

    def __init__(
        self, port: int, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path, log: Path
    ) -> None:
        self.port, self.url = port, f"http://127.0.0.1:{port}/mcp"
        self._command = [*arguments, "--port", str(port)]
        self._environment, self._cwd, self._log = environment, cwd, log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._cwd, env=dict(self._environment), stdout=log, stderr=log
            )

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    async def reachable(self, seconds: float = 30.0) -> None:
        """Wait until it takes connections; it is started again if it ended. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                if not self.alive:
                    self.start()
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                except OSError:
                    await asyncio.sleep(0.05)
                else:
                    writer.close()
                    return

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it is there."""
        if self.alive:
            assert self._process is not None
            self._process.send_signal(number)

    def pause(self) -> None:
        """Stop the process where it is, as a machine does that has no memory left, or is moved."""
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on, as if no time had passed."""
        self.signal(signal.SIGCONT)

    def limit(self, what: int, most: int) -> None:
        """Set a limit of the kernel for the process, such as `resource.RLIMIT_FSIZE`."""
        assert self._process is not None
        _, highest = resource.prlimit(self._process.pid, what)
        resource.prlimit(self._process.pid, what, (most, highest))

    def kill(self) -> None:
        """Kill the process as the kernel does when memory runs out."""
        if self._process is not None:
            self.signal(signal.SIGKILL)
            self._process.wait()


def two_replicas(
    url: str,
    folder: Path,
    *,
    mutant: str | None = None,
    machine: str = MACHINE,
    environment: Mapping[str, str] | None = None,
) -> list[Replica]:
    """Two replicas of one store, not started yet. Their log and what they write lie in `folder`."""
    package = ROOT if mutant is None else make_mutant(mutant, folder)
    arguments = [sys.executable, "-m", "fsmvoice.cli", "serve", str(ROOT / machine), "--stateless"]
    told = {
        **os.environ,
        "PYTHONPATH": f"{package}{os.pathsep}{ROOT}",
        "TALLY_RECEIPTS": str(receipts_in(folder)),
        "FSMVOICE_STORE": url,
        **(environment or {}),
    }
    return [Replica(port, arguments, told, package, log_in(folder)) for port in _free_ports(2)]


def log_in(folder: Path) -> Path:
    """Where the servers write their logs."""
    return folder / "servers.log"


def receipts_in(folder: Path) -> Path:
    """The file that the effect writes to."""
    return folder / "receipts.txt"


def _free_ports(count: int) -> list[int]:
    held = [listen("127.0.0.1", 0) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in held]
    for one in held:
        one.close()
    return ports


def some_time(chance: random.Random) -> float:
    """Seconds until the next kill."""
    return chance.uniform(0.5, 2.0)
