"""Processes that serve sessions from one store, callers that want an answer, and all that can go wrong between them."""

from __future__ import annotations

import asyncio
import contextvars
import random
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock
from fsmvoice.engine.outcome import Outcome
from fsmvoice.sessions.attempt import Turn
from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.store import SessionStore
from fsmvoice.sessions.turn import Sessions
from tests.sessions.simulation.disk import Seen
from tests.sessions.simulation.loop import PROCESS, SimulatedLoop
from tests.sessions.simulation.machine import Simulated

TIMEOUT = 2.0
"""Seconds that step code may take; its lease lasts five more."""
AGAIN = frozenset(("busy", "store-unavailable", "unknown-outcome", "version-conflict", "action-timeout"))
EVENTS = ("ADD", "ADD", "ADD", "ADD_SLOWLY", "ADD_SLOWLY", "CHECK")
Jumps: TypeAlias = Literal["none", "small", "large"]


@dataclass
class Told:
    """What the callers sent, by session, and what they were told: the revision, and whether it was a replay."""

    sent: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    acked: dict[tuple[str, str], tuple[int, bool]] = field(default_factory=dict[tuple[str, str], tuple[int, bool]])
    refused: Counter[str] = field(default_factory=Counter[str])


@dataclass(eq=False)
class Attempt:
    """A run of step code that waits."""

    process: str
    session: str


class StoreClock:
    """The store's clock, which jumps."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop, self.ahead = loop, 0.0

    def now(self) -> float:
        return 1_800_000_000_000.0 + self._loop.time() * 1000 + self.ahead


class Storage(Protocol):
    """What all processes share.

    Attributes:
        faulty: how likely what is asked of it fails.
        failed: how often it has.
        over: whether nothing is answered any more.
    """

    faulty: float
    failed: int
    over: bool

    def store(self, clock: Clock, sleeps: Callable[[], bool] = ...) -> SessionStore:
        """The store of one more process. `sleeps` is asked before a commit under a lease; it may stop the process."""
        ...

    def watched(self, seen: Seen) -> AbstractContextManager[None]:
        """Have each commit be seen as it is written."""
        ...

    def close(self) -> None: ...


class World:
    """One simulated run.

    Attributes:
        trace: what went wrong when; two runs of a seed have the same.
        wrong: what was seen that must not be.
        events: what has happened how often, to know that the simulation is worth something.
    """

    def __init__(self, seed: int, loop: SimulatedLoop, storage: Callable[[random.Random], Storage]) -> None:
        self.chance = random.Random(seed)
        self.loop = loop
        self.clock = StoreClock(loop)
        self.disk = storage(self.chance)
        self.told = Told()
        self.trace: list[str] = []
        self.wrong: list[str] = []
        self.events: Counter[str] = Counter()
        self.receipts: list[tuple[str, str]] = []
        self.jumps: Jumps = self.chance.choice(("none", "none", "small", "large"))
        self.replicas: list[tuple[str, Sessions] | None] = [None] * self.chance.choice((2, 2, 3))
        self._started = 0
        self._attempts: set[Attempt] = set()
        self._slept: set[str] = set()
        self._steps_left: dict[str, int] = {}
        self._quiet = False
        self._jumped = 0.0
        loop.before = self._step

    # -- what step code, services and effects see ------------------------------------------------------------------

    def entered(self, word: str) -> Attempt:
        attempt = Attempt(PROCESS.get(), word.partition(":")[0])
        # A lease can't hold back who has slept through its own, nor one whose clock was moved.
        if self.jumps == "none" and attempt.process not in self._slept:
            for other in self._attempts:
                if (
                    other.session == attempt.session
                    and not self.loop.holds(other.process)
                    and other.process not in self._slept
                ):
                    self.wrong.append(f"{attempt} runs beside {other}")
        self._attempts.add(attempt)
        return attempt

    def left(self, attempt: object) -> None:
        assert isinstance(attempt, Attempt)
        self._attempts.discard(attempt)

    def working(self) -> float:
        return self.chance.choice((0.0, 0.05, 0.3, 1.5))

    def looking(self, key: str) -> float:
        self.events["service"] += 1
        return self.chance.choice((0.0, 0.1, 2.0))

    def receipt(self, key: str, word: str) -> None:
        if not self._quiet and self.chance.random() < 0.1:
            raise OSError("no paper")
        self.events["effect"] += 1
        self.receipts.append((key, word))

    # -- processes ---------------------------------------------------------------------------------------------------

    def start(self, number: int) -> None:
        """Start a replica that is not there."""
        self._started += 1
        name = f"r{number}.{self._started}"
        store = self.disk.store(self.clock, lambda: self._sleeps_now(name))

        def begin() -> Sessions:
            PROCESS.set(name)
            sessions = Sessions(Simulated.chart, store, timeout=TIMEOUT)
            sessions.begin()
            return sessions

        self.replicas[number] = (name, contextvars.copy_context().run(begin))
        if not self._quiet and self.chance.random() < 0.6:
            self._steps_left[name] = self.chance.randrange(1, 900)

    def _step(self, process: str) -> None:
        """Before each step of a process: it may be its last."""
        left = self._steps_left.get(process)
        if left is None:
            return
        if left > 0:
            self._steps_left[process] = left - 1
            return
        del self._steps_left[process]
        if self._quiet:
            return
        number = int(process[1 : process.index(".")])
        self.replicas[number] = None
        self.loop.hold(process)
        self._note(f"{process} dies")
        self.events["crash"] += 1
        self.loop.call_later(self.chance.uniform(0.1, 3), self._again, number, context=contextvars.Context())

    def _again(self, number: int) -> None:
        if self.replicas[number] is None:
            self.start(number)

    async def faults(self) -> None:
        """Things go wrong until it is quiet."""
        while True:
            await asyncio.sleep(self.chance.uniform(0.2, 4))
            match self.chance.randrange(4):
                case 0:
                    await self._sleep_through()
                case 1:
                    self.disk.faulty = self.chance.choice((0.02, 0.1, 0.5))
                    await asyncio.sleep(self.chance.uniform(0.1, 2))
                    self.disk.faulty = 0.0
                case 2 if self.jumps != "none":
                    self._jump()
                case _:
                    pass

    async def _sleep_through(self) -> None:
        found = self.chance.choice(self.replicas)
        if found is None:
            return
        name = found[0]
        self._note(f"{name} stops")
        self.events["pause"] += 1
        self._slept.add(name)
        self.loop.hold(name)
        await asyncio.sleep(self.chance.choice((0.5, 3.0, 9.0, 20.0)))
        self.loop.let_go(name)
        self._note(f"{name} goes on")

    def _sleeps_now(self, name: str) -> bool:
        """At the worst moment: its step code is done, and its lease runs out before it commits."""
        if self._quiet or self.loop.holds(name) or self.chance.random() > 0.1:
            return False
        self._note(f"{name} stops before it commits")
        self.events["pause"] += 1
        self._slept.add(name)
        self.loop.hold(name)
        again = self.chance.uniform(TIMEOUT + 3, TIMEOUT + 6.5)
        self.loop.call_later(again, self.loop.let_go, name, context=contextvars.Context())
        return True

    def _jump(self) -> None:
        by = self.chance.uniform(0.1, 1.5) if self.jumps == "small" else self.chance.uniform(1, 3600)
        if self.jumps == "small" and self._jumped + by > 4:
            return
        self._jumped += by
        self.clock.ahead += by * 1000
        self._note(f"the clock jumps {by:.3f} s")
        self.events["jump"] += 1

    def quiet(self) -> None:
        """Nothing goes wrong from now on, and every process is there."""
        self._quiet, self.disk.faulty = True, 0.0
        for number, replica in enumerate(self.replicas):
            if replica is None:
                self.start(number)
            elif self.loop.holds(replica[0]):
                self.loop.let_go(replica[0])

    # -- callers -----------------------------------------------------------------------------------------------------

    async def caller(self, number: int, requests: int) -> None:
        """Some requests, each sent until it is answered."""
        for count in range(requests):
            session = f"s{self.chance.randrange(3)}"
            event, word = self.chance.choice(EVENTS), f"{session}:{number}-{count}"
            self.told.sent.setdefault(session, set()).add(word)
            for _ in range(300):
                turn = await self._asked(event, session, word)
                if turn is None or turn.reason in AGAIN:
                    await asyncio.sleep(self.chance.uniform(0.01, 0.5))
                    continue
                self._note(f"{word} {turn.reason or turn.said or turn.replayed}")
                if turn.reason is not None:
                    self.told.refused[turn.reason] += 1
                elif turn.replayed is not None:
                    self.events["replay"] += 1
                    self.told.acked[session, word] = (int(turn.replayed), True)
                else:
                    self.told.acked[session, word] = (int(turn.said or "-1"), False)
                break
            else:
                self.wrong.append(f"{word} was never answered")
            await asyncio.sleep(self.chance.choice((0.0, 0.05, 1.0, 4.0)))

    async def _asked(self, event: str, session: str, word: str) -> Turn | None:
        """One try: it may arrive twice, its answer may be lost, and the caller may hang up."""
        there = [replica for replica in self.replicas if replica is not None]
        if not there:
            return None
        name, sessions = self.chance.choice(there)
        answer: asyncio.Future[Turn] = self.loop.create_future()
        lost = self.chance.random() < 0.1

        async def serve() -> None:
            turn = await sessions.take_turn(
                key_of(session), work(event, word), Request(id=word, sent=f"{event} {word}", say=said)
            )
            if not lost and not answer.done():
                answer.set_result(turn)

        context = contextvars.copy_context()
        context.run(PROCESS.set, name)
        await asyncio.sleep(self.chance.expovariate(300))
        tasks = [self.loop.create_task(serve(), context=context)]
        if self.chance.random() < 0.2:
            self.events["duplicate"] += 1
            await asyncio.sleep(self.chance.choice((0.0, 0.01, 0.1)))
            tasks.append(self.loop.create_task(serve(), context=context))
        if self.chance.random() < 0.08:
            self.events["hang up"] += 1
            await asyncio.sleep(self.chance.expovariate(50))
            tasks[0].get_loop().call_soon(tasks[0].cancel, context=context)
        try:
            async with asyncio.timeout(self.chance.choice((0.3, 4.0))):
                return await answer
        except TimeoutError:
            return None

    def _note(self, text: str) -> None:
        self.trace.append(f"{self.loop.time():.6f} {text}")


def key_of(session: str) -> SessionKey:
    return session_key(CallContext(meta={SESSION_META: session}), "simulated")


def work(event: str, word: str) -> Any:
    async def fire(actor: FsmActor[Any]) -> Outcome[Any]:
        return await actor.fire(event, {"word": word})

    return fire


def said(outcome: Outcome[Any], *, news: tuple[str, ...] = ()) -> str:
    """Which revision the reply is of."""
    return str(outcome.snapshot.revision)
