"""Callers that repeat a request with the same id on the other replica until it is answered."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.faults.replicas import Replica

VERSION = "2026-07-28"
AGAIN = frozenset(("busy", "store-unavailable", "unknown-outcome", "version-conflict", "action-timeout"))
"""The reasons after which the same request may be sent again."""


@dataclass
class Ledger:
    """What the callers sent, and what they were told.

    Attributes:
        sent: the words sent, by session; a word is its request's id.
        acked: the words that were answered with success, and the revision told; None where an answer was a replay.
        with_receipt: the words whose transition asks for a receipt.
        refused: answers that are no success and not to be repeated, by their reason.
    """

    sent: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    acked: dict[tuple[str, str], int | None] = field(default_factory=dict[tuple[str, str], "int | None"])
    with_receipt: set[str] = field(default_factory=set[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    replays: int = 0
    retries: Counter[str] = field(default_factory=Counter[str])


class Callers:
    """So many callers, over so many sessions."""

    def __init__(self, replicas: Sequence[Replica], *, callers: int, sessions: int, seed: int) -> None:
        self.ledger = Ledger()
        self._replicas, self._callers, self._sessions, self._seed = replicas, callers, sessions, seed
        self._stopped = False

    async def run(self) -> None:
        """Call until stopped; every request that was sent is answered before it ends."""
        async with httpx2.AsyncClient(timeout=20, limits=httpx2.Limits(max_connections=None)) as http:
            await asyncio.gather(*(self._caller(http, number) for number in range(self._callers)))

    def stop(self) -> None:
        self._stopped = True

    async def more(self, answered: int, within: float) -> None:
        """Wait until so many more requests were answered with success, for so many seconds at most."""
        until = len(self.ledger.acked) + answered
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                while len(self.ledger.acked) < until:  # noqa: ASYNC110 - a ledger tells nobody
                    await asyncio.sleep(0.02)

    async def _caller(self, http: httpx2.AsyncClient, number: int) -> None:
        chance = random.Random(self._seed * 1000 + number)
        for count in itertools.count():
            if self._stopped:
                return
            session, word = f"s{chance.randrange(self._sessions)}", f"w{number}-{count}"
            self.ledger.sent.setdefault(session, set()).add(word)
            tool = "tally_add_slowly" if chance.random() < 0.25 else "tally_add"
            if tool == "tally_add" and word.endswith("0"):
                self.ledger.with_receipt.add(word)
            await self._until_answered(http, chance, session, word, tool)

    async def _until_answered(
        self, http: httpx2.AsyncClient, chance: random.Random, session: str, word: str, tool: str
    ) -> None:
        replica = chance.choice(self._replicas)
        for _ in range(2000):
            told = await call(http, replica.url, tool, {"word": word}, session=session, request=word)
            if isinstance(told, str):
                self.ledger.retries[told] += 1
            elif told["ok"]:
                replayed = bool(told.get("replayed"))
                self.ledger.replays += replayed
                self.ledger.acked[session, word] = None if replayed else told["state"]["revision"]
                return
            elif told["reason"] in AGAIN:
                self.ledger.retries[told["reason"]] += 1
            else:
                self.ledger.refused[told["reason"]] += 1
                return
            replica = next(other for other in self._replicas if other is not replica)
            await asyncio.sleep(chance.uniform(0.01, 0.05))
        self.ledger.refused["never answered"] += 1


async def call(
    http: httpx2.AsyncClient,
    url: str,
    tool: str,
    arguments: dict[str, Any],
    *,
    session: str,
    request: str | None = None,
) -> dict[str, Any] | str:
    """The structured result of one call, or a word for why there was none."""
    meta = {
        "dev.fsmvoice/session": session,
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "faults", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    if request is not None:
        meta["dev.fsmvoice/request-id"] = request
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": VERSION,
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    try:
        answer = await http.post(url, json=message, headers=headers)
        if answer.status_code != 200:
            return f"HTTP {answer.status_code}"
        told = _message(answer)
    except (httpx2.TransportError, OSError, ValueError) as error:
        return type(error).__name__
    if "result" not in told:
        return "no result"
    return dict(told["result"]["structuredContent"])


def _message(answer: httpx2.Response) -> dict[str, Any]:
    text = answer.text
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        data = [line.removeprefix("data:").strip() for line in text.splitlines() if line.startswith("data:")]
        text = next(item for item in reversed(data) if item)
    found: dict[str, Any] = json.loads(text)
    return found
