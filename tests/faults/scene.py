"""Two servers on one store, and a client that calls them: what the tests of faults begin with."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2

from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.open_store import open_store
from fsmvoice.sessions.store import PastEvent, SessionStore
from tests.faults.callers import AGAIN, call
from tests.faults.replicas import MACHINE, Replica, log_in, receipts_in, two_replicas

WAITING = "tests/faults/waiting.py:Waiting"
IMPATIENT = "tests/faults/impatient.py"
"""The same machine, whose step code may take a second only."""


class Scene:
    """Two replicas that are not started yet, their store as a third process sees it, and what they write.

    Attributes:
        replicas: both of them.
        store: the same data.
        machine: the machine's id.
    """

    def __init__(
        self, replicas: list[Replica], store: SessionStore, http: httpx2.AsyncClient, folder: Path, machine: str
    ) -> None:
        self.replicas, self.store, self.machine = replicas, store, machine
        self._http, self._receipts = http, receipts_in(folder)
        self._log = log_in(folder)

    async def start(self, *which: int) -> None:
        """Start these replicas; both, if none is named."""
        for number in which or (0, 1):
            await self.replicas[number].reachable()

    async def call(
        self, replica: int, event: str, session: str, request: str | None = None, **arguments: Any
    ) -> dict[str, Any] | str:
        """The structured result of one call, or a word for why there was none."""
        tool = f"{self.machine}_{event}"
        return await call(self._http, self.replicas[replica].url, tool, arguments, session=session, request=request)

    async def until_answered(self, event: str, session: str, request: str, **arguments: Any) -> dict[str, Any]:
        """Send a request to one replica and the other until one answers it."""
        told: dict[str, Any] | str = ""
        for attempt in range(400):
            told = await self.call(attempt % 2, event, session, request, **arguments)
            if isinstance(told, dict) and told.get("reason") not in AGAIN:
                return told
            await asyncio.sleep(random.uniform(0.02, 0.1))
        raise AssertionError(f"never answered: {told}")

    def key(self, session: str) -> SessionKey:
        return session_key(CallContext(meta={SESSION_META: session}), self.machine)

    async def history(self, session: str) -> list[PastEvent]:
        return list(await self.store.history(self.key(session).storage, limit=1_000_000))

    async def names(self, session: str) -> list[str]:
        """The events that the session has taken, without its start."""
        return [past.event.name for past in await self.history(session)][1:]

    def receipts(self) -> list[str]:
        """The lines that the servers have written."""
        return self._receipts.read_text().splitlines() if self._receipts.exists() else []

    def logged(self) -> str:
        return self._log.read_text(errors="replace")


@asynccontextmanager
async def scene(
    url: str,
    folder: Path,
    *,
    machine: str = MACHINE,
    name: str = "tally",
    environment: Mapping[str, str] | None = None,
    mutant: str | None = None,
) -> AsyncGenerator[Scene]:
    """A scene; its processes are killed at the end."""
    replicas = two_replicas(url, folder, machine=machine, environment=environment, mutant=mutant)
    store = await open_store(url)
    async with httpx2.AsyncClient(timeout=60, limits=httpx2.Limits(max_connections=None)) as http:
        try:
            yield Scene(replicas, store, http, folder, name)
        finally:
            for replica in replicas:
                replica.resume()
                replica.kill()
            await store.aclose()


async def until(happened: Callable[[], Any], seconds: float = 30.0, pause: float = 0.05) -> float:
    """Wait until it is so, or its awaitable says so; the seconds that took. Raises TimeoutError."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with asyncio.timeout(seconds):
        while True:
            found = happened()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return loop.time() - began
            await asyncio.sleep(pause)
