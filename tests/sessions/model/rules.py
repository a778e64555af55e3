"""A hypothesis model: any sequence of calls, repeats, restarts, migrations, waits and outages, on any store."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.store import Limits, SessionStore
from fsmvoice.sessions.turn import Sessions, Turn
from tests.sessions.benches import said
from tests.sessions.model.expected import Expected
from tests.sessions.model.loop import ModelLoop
from tests.sessions.model.machine import DELAY, chart_of
from tests.sessions.model.stores import Places

TTL = 1000.0
KEYS = [session_key(CallContext(principal=name), "m") for name in ("ann", "bob")]
SOON = 5.0
"""Seconds within which each call is over; nothing falls due while one lasts, or nobody could say what should be."""
TENDED = 20.0
"""Seconds within which what is due is seen to, if every process can: another may have said that it would, and died."""
FOUND = 120.0
"""The same, if one of the processes can't, and the other has to be the first to look."""
COUNTING = st.sampled_from(["GO", "SLOW"])
PROCESSES = st.integers(0, 1)


class Model(RuleBasedStateMachine):
    """Two processes that serve two sessions. Subclassed for each store."""

    places: ClassVar[Places]
    together: ClassVar[bool]
    troubles: ClassVar[list[str]]
    """What was logged that must not happen."""
    ends: ClassVar[list[float]]
    """When each run ended."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = ModelLoop(together=self.together)
        self.place = type(self).places(self.loop)
        self.mails: list[str] = []
        self.charts = [chart_of(version, self.mails.append) for version in ("1", "2")]
        self.stores: list[SessionStore] = []
        self.processes: list[Sessions] = []
        self.unseen = 0.0
        """Since when every process has been there; what was due before may not have been seen to."""
        for number in range(2):
            self.start(number, 1)
        self.expected: dict[SessionKey, Expected] = {}
        self.over: list[Expected] = []
        self.number = 0

    # -- processes -----------------------------------------------------------------------------------------------

    def start(self, number: int, version: int) -> None:
        async def begin() -> tuple[SessionStore, Sessions]:
            store = await self.place.open(Limits(ttl=TTL))
            sessions = Sessions(self.charts[version - 1], store)
            sessions.begin()
            return store, sessions

        store, sessions = self.do(begin())
        self.stores.insert(number, store)
        self.processes.insert(number, sessions)
        self.unseen = self.loop.now()

    def end(self, number: int) -> None:
        async def end() -> None:
            await self.processes.pop(number).aclose(grace=0)
            await self.stores.pop(number).aclose()

        self.do(end())

    def versions(self) -> list[int]:
        return [self.charts.index(sessions.chart) + 1 for sessions in self.processes]

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    def calls(self, work: Sequence[Coroutine[Any, Any, Turn]]) -> list[Turn]:
        """What these calls, all at once, come to; soon."""

        async def all_of_them() -> list[Turn]:
            return list(await asyncio.gather(*work))

        began = self.loop.time()
        turns: list[Turn] = self.do(all_of_them())
        assert self.loop.time() < began + SOON
        return turns

    async def call(self, process: int, key: SessionKey, event: str, request_id: str | None, **options: Any) -> Turn:
        async def work(actor: FsmActor[Any]) -> Outcome[Any]:
            return await actor.fire(event, {})

        request = Request(id=request_id, sent=event, say=said, **options)
        return await self.processes[process].take_turn(key, work, request)

    # -- what should be ------------------------------------------------------------------------------------------

    def meet(self, process: int, key: SessionKey) -> Expected | None:
        """The session as a call that comes now finds it; None where this process can't read it."""
        self.steady()
        now, version = self.loop.now(), self.versions()[process]
        found = self.expected.get(key)
        if found is None or found.expires <= now:
            self.forget(key)
            found = self.expected[key] = Expected(version, now + TTL * 1000)
        if found.version > version:
            return None
        if found.due is not None and found.due <= now:
            found.ring(version)
        return found

    def forget(self, key: SessionKey) -> None:
        """The session has expired."""
        found = self.expected.pop(key, None)
        if found is not None:
            self.over.append(found)

    def steady(self) -> None:
        """Go on to a time at which nothing falls due soon, and it is known who ends a delay that is due."""
        while True:
            now, found = self.loop.now(), [*self.expected.values()]
            times = [time for each in found for time in (each.due, each.expires) if time is not None]
            soon = [time - now for time in times if now < time <= now + SOON * 1000]
            late = [each for each in found if each.due is not None and each.due <= now < each.expires]
            if soon:
                self.do(asyncio.sleep(max(soon) / 1000))
            elif len(set(self.versions())) > 1 and late:
                if self.place.shared:
                    self.do(asyncio.sleep(FOUND))
                else:
                    self.restart(self.versions().index(1), 2)
            else:
                return
            self.agree()

    @invariant()
    def agree(self) -> None:
        """All stores say of all sessions what they should; one at a time, all that is to be done by now is done."""
        self.do(self.agreed(self.stores[self.number % 2]))
        assert self.troubles == []
        if self.together:
            return  # while an answer of the real world is under way time may pass, so what is late is not known
        now, versions = self.loop.now(), self.versions()
        found_within = FOUND if self.place.shared else math.inf
        for found in self.expected.values():
            if found.version > max(versions):
                continue
            patience = (TENDED if found.version <= min(versions) else found_within) * 1000
            if found.due is not None:
                assert now < max(found.due, self.unseen) + patience
            for mail, asked in found.mails():
                assert mail in self.mails or now < max(asked, self.unseen) + patience

    async def agreed(self, store: SessionStore) -> None:
        now = self.loop.now()
        infos = {info.key: info for info in await store.list()}
        for key, found in tuple(self.expected.items()):
            info = infos.pop(key.storage, None)
            if info is None:
                assert found.expires <= now
                self.forget(key)
                continue
            history = await store.history(key.storage)
            found.agree(info, history, now)
            if not found.run:
                stored = await store.load(key.storage)
                assert stored is not None
                found.run = stored.run
            assert info.expires == history[-1].at + TTL * 1000
            found.expires = info.expires
        assert not infos

    # -- what happens --------------------------------------------------------------------------------------------

    @rule(process=PROCESSES, key=st.sampled_from(KEYS), event=COUNTING)
    def fire(self, process: int, key: SessionKey, event: str) -> None:
        found = self.meet(process, key)
        self.number += 1
        request_id = f"r{self.number}"
        (turn,) = self.calls([self.call(process, key, event, request_id)])
        if found is None:
            assert turn.reason == "definition-mismatch"
            return
        found.count(self.versions()[process], event, request_id, self.loop.now())
        assert turn.outcome is not None
        assert turn.outcome.ok
        assert turn.outcome.context == {"n": found.n}
        assert turn.outcome.snapshot.revision == found.revision
        found.replies[request_id] = turn.said or ""

    @rule(process=PROCESSES, key=st.sampled_from(KEYS), back=st.integers(0, 20))
    def replay(self, process: int, key: SessionKey, back: int) -> None:
        found = self.meet(process, key)
        if found is None or not found.replies:
            (turn,) = self.calls([self.processes[process].take_turn(key, nothing)])
            assert turn.reason == ("definition-mismatch" if found is None else None)
            return
        request_id = list(found.replies)[back % len(found.replies)]
        event = {name: event for event, name in found.events}[request_id]
        (turn,) = self.calls([self.call(process, key, event, request_id)])
        assert turn.replayed == found.replies[request_id]
        (turn,) = self.calls([self.call(process, key, "WAIT", request_id)])
        assert turn.reason == "request-id-reused"

    @rule(key=st.sampled_from(KEYS), many=st.integers(2, 6), event=COUNTING)
    @precondition(lambda self: len(set(self.versions())) == 1)
    def burst(self, key: SessionKey, many: int, event: str) -> None:
        """One request, sent many times at once."""
        found = self.meet(0, key)
        self.number += 1
        request_id = f"r{self.number}"
        turns = self.calls([self.call(number % 2, key, event, request_id) for number in range(many)])
        if found is None:
            assert {turn.reason for turn in turns} == {"definition-mismatch"}
            return
        assert sum(turn.replayed is not None for turn in turns) == many - 1
        (words,) = {turn.replayed or turn.said for turn in turns}
        found.count(self.versions()[0], event, request_id, self.loop.now())
        found.replies[request_id] = words or ""

    @rule(key=st.sampled_from(KEYS), events=st.lists(COUNTING, min_size=2, max_size=6))
    @precondition(lambda self: len(set(self.versions())) == 1)
    def crowd(self, key: SessionKey, events: list[str]) -> None:
        """Many requests at once."""
        found = self.meet(0, key)
        turns = self.calls([self.call(number % 2, key, event, None) for number, event in enumerate(events)])
        if found is None:
            assert {turn.reason for turn in turns} == {"definition-mismatch"}
            return
        stood = found.revision
        revisions = [turn.outcome.snapshot.revision for turn in turns if turn.outcome is not None]
        assert sorted(revisions) == list(range(stood + 1, stood + len(events) + 1))
        for _, event in sorted(zip(revisions, events, strict=True)):
            found.count(self.versions()[0], event, None, self.loop.now())

    @rule(process=PROCESSES, key=st.sampled_from(KEYS))
    def wait(self, process: int, key: SessionKey) -> None:
        """Begin a delay."""
        found, began = self.meet(process, key), self.loop.now()
        (turn,) = self.calls([self.call(process, key, "WAIT", None)])
        if found is None:
            assert turn.reason == "definition-mismatch"
        elif found.due is None:
            assert turn.outcome is not None
            assert turn.outcome.ok
            (timer,) = turn.outcome.snapshot.run_state.timers
            assert began <= timer.due - DELAY * 1000 <= self.loop.now()
            found.step(self.versions()[process], "WAIT")
            found.due = timer.due
        else:
            assert turn.reason == "no-transition"

    @rule(process=PROCESSES, key=st.sampled_from(KEYS), wrong=st.integers(1, 3))
    def stale(self, process: int, key: SessionKey, wrong: int) -> None:
        found = self.meet(process, key)
        expected = 0 if found is None else found.revision - wrong
        (turn,) = self.calls([self.call(process, key, "GO", None, expected=expected)])
        assert turn.reason == ("definition-mismatch" if found is None else "version-conflict")

    @rule(process=PROCESSES, version=st.integers(1, 2))
    def restart(self, process: int, version: int) -> None:
        self.end(process)
        self.start(process, version)

    @rule(seconds=st.sampled_from([1.0, 29.0, 61.0]))
    def time(self, seconds: float) -> None:
        """Time passes, and nobody calls."""
        self.do(asyncio.sleep(seconds))

    @rule(seconds=st.sampled_from([1.0, 29.0, 61.0, TTL + 1]))
    def outage(self, seconds: float) -> None:
        """Time passes while no process runs."""
        versions = self.versions()
        for _ in versions:
            self.end(0)
        self.loop.jump(seconds)
        for number, version in enumerate(versions):
            self.start(number, version)

    def teardown(self) -> None:
        try:
            self.agree()
            for number in range(2):
                self.restart(number, 2)
            while any(mail not in self.mails for found in self.expected.values() for mail, _ in found.mails()):
                self.do(asyncio.sleep(1))
                self.agree()
            self.judge()
            self.ends.append(self.loop.time())
        finally:
            for _ in tuple(self.processes):
                self.end(0)
            self.do(self.place.aclose())
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.do(asyncio.sleep(0))
            self.loop.close()

    def judge(self) -> None:
        """Each mail that was asked for was sent, in order, and no other."""
        asked = {found.run: [mail for mail, _ in found.mails()] for found in (*self.over, *self.expected.values())}
        gone = {found.run for found in self.over}
        sent: dict[str, list[str]] = {run: [] for run in asked}
        for mail in dict.fromkeys(self.mails):
            sent[mail.partition(".")[0]].append(mail)
        for run, mails in asked.items():
            # What nobody could send before its session expired is lost with it.
            assert sent[run] == (mails[: len(sent[run])] if run in gone else mails)


async def nothing(actor: FsmActor[Any]) -> None:
    """Only what is due."""
