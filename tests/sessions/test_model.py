"""Any sequence of calls, repeats, restarts, migrations and waits leaves a store as a plain model of it says."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fsmvoice import migration
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.machine.actor import compile_config
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.store import Limits
from fsmvoice.sessions.turn import Sessions, Turn
from tests.sessions.benches import Stores, delivered, said

TTL = 10_000.0
AFTER = "xstate.after.60000.m.pause"
KEYS = [session_key(CallContext(principal=name), "m") for name in ("ann", "bob")]


@migration("1", "2")
def renamed(document: dict[str, Any]) -> dict[str, Any]:
    names = {"a": "start", "b": "pause"}
    timers = [{**timer, "id": AFTER, "event": AFTER} for timer in document["timers"]]
    return {**document, "states": [names[state] for state in document["states"]], "timers": timers}


def chart_of(version: str, mails: list[str]) -> Chart:
    """Two versions of one machine, of which the second has other names for its states."""
    first, second = ("a", "b") if version == "1" else ("start", "pause")

    def count(context: dict[str, Any], later: Any) -> dict[str, Any]:
        later("mail")
        return {"n": context["n"] + 1}

    async def mail(idempotency_key: str) -> None:
        mails.append(idempotency_key)

    config = {
        "id": "m",
        "version": version,
        "initial": first,
        "context": {"n": 0},
        "states": {
            first: {"on": {"GO": {"actions": "count"}, "WAIT": second}},
            second: {"on": {"GO": {"actions": "count"}}, "after": {"60000": first}},
        },
    }
    return compile_config(config, actions={"count": count}, effects={"mail": mail}, migrations=[renamed])


class Expected:
    """What one session should be."""

    def __init__(self) -> None:
        self.n = self.revision = 0
        self.waiting: float | None = None
        self.version = 1
        self.replies: dict[str, str] = {}
        self.used = 0.0


class Model(RuleBasedStateMachine):
    kind = "memory"

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.loop = asyncio.new_event_loop()
        self.stores = Stores(self.kind, self.folder)
        self.limits = Limits(ttl=TTL)
        self.stores.open(self.limits)
        self.mails: list[str] = []
        self.charts = [chart_of(version, self.mails) for version in ("1", "2")]
        self.processes = [self.process(0), self.process(0)]
        self.expected: dict[SessionKey, Expected] = {}
        self.number = self.asked = 0

    def process(self, version: int) -> Sessions:
        store = self.stores.open(None if self.kind == "memory" else self.limits)
        sessions = self.stores.sessions(self.charts[version], store)

        async def begin() -> None:
            sessions.begin()

        self.do(begin())
        return sessions

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    async def call(self, process: int, key: SessionKey, event: str, request_id: str | None, **options: Any) -> Turn:
        async def work(actor: FsmActor[Any]) -> Outcome[Any]:
            return await actor.fire(event, {})

        request = Request(id=request_id, sent=event, say=said, **options)
        return await self.processes[process].take_turn(key, work, request)

    def meet(self, process: int, key: SessionKey) -> Expected | None:
        """The session as a call finds it, its timers stepped; None where this process may not use it."""
        now = self.stores.clock.now()
        found = self.expected.get(key)
        version = self.versions()[process]
        if found is None or now >= found.used + TTL * 1000:
            found = self.expected[key] = Expected()
            found.version = version
        if found.version > version:
            return None
        if found.waiting is not None and found.waiting <= now:
            found.waiting, found.revision = None, found.revision + 1
            found.version = version
        found.used = now
        return found

    def versions(self) -> list[int]:
        return [self.charts.index(sessions.chart) + 1 for sessions in self.processes]

    @rule(process=st.integers(0, 1), key=st.sampled_from(KEYS))
    def fire(self, process: int, key: SessionKey) -> None:
        self.number += 1
        request_id = f"r{self.number}"
        found = self.meet(process, key)
        turn = self.do(self.call(process, key, "GO", request_id))
        if found is None:
            assert turn.reason == "definition-mismatch"
            return
        assert turn.outcome is not None
        assert turn.outcome.ok
        self.gone(found, process)
        assert turn.outcome.context == {"n": found.n}
        assert turn.outcome.snapshot.revision == found.revision
        found.replies[request_id] = turn.said

    def gone(self, found: Expected, process: int) -> None:
        found.n, found.revision, found.version = found.n + 1, found.revision + 1, self.versions()[process]
        self.asked += 1

    @rule(process=st.integers(0, 1), key=st.sampled_from(KEYS), back=st.integers(0, 20))
    def replay(self, process: int, key: SessionKey, back: int) -> None:
        found = self.meet(process, key)
        if found is None or not found.replies:
            self.do(self.processes[process].take_turn(key, nothing))
            return
        request_id = list(found.replies)[back % len(found.replies)]
        turn = self.do(self.call(process, key, "GO", request_id))
        assert turn.replayed == found.replies[request_id]
        other = self.do(self.call(process, key, "WAIT", request_id))
        assert other.reason == "request-id-reused"

    @rule(key=st.sampled_from(KEYS), many=st.integers(2, 6))
    @precondition(lambda self: len(set(self.versions())) == 1)
    def burst(self, key: SessionKey, many: int) -> None:
        self.number += 1
        request_id = f"r{self.number}"
        found = self.meet(0, key)
        if found is None:
            return

        async def go() -> list[Turn]:
            return list(await asyncio.gather(*(self.call(n % 2, key, "GO", request_id) for n in range(many))))

        turns = self.do(go())
        assert sum(turn.replayed is not None for turn in turns) == many - 1
        assert len({turn.replayed or turn.said for turn in turns}) == 1
        self.gone(found, 0)
        found.replies[request_id] = turns[0].replayed or turns[0].said or ""

    @rule(key=st.sampled_from(KEYS), many=st.integers(2, 6))
    @precondition(lambda self: len(set(self.versions())) == 1)
    def crowd(self, key: SessionKey, many: int) -> None:
        found = self.meet(0, key)
        if found is None:
            return

        async def go() -> list[Turn]:
            return list(await asyncio.gather(*(self.call(n % 2, key, "GO", None) for n in range(many))))

        revisions = [turn.outcome.snapshot.revision for turn in self.do(go()) if turn.outcome is not None]
        assert sorted(revisions) == list(range(found.revision + 1, found.revision + many + 1))
        for _ in range(many):
            self.gone(found, 0)

    @rule(process=st.integers(0, 1), key=st.sampled_from(KEYS))
    def wait(self, process: int, key: SessionKey) -> None:
        found = self.meet(process, key)
        turn = self.do(self.call(process, key, "WAIT", None))
        if found is None:
            assert turn.reason == "definition-mismatch"
        elif found.waiting is None:
            assert turn.reason is None
            found.waiting = self.stores.clock.now() + 60_000
            found.revision, found.version = found.revision + 1, self.versions()[process]
        else:
            assert turn.reason == "no-transition"

    @rule(process=st.integers(0, 1), key=st.sampled_from(KEYS), wrong=st.integers(1, 3))
    def stale(self, process: int, key: SessionKey, wrong: int) -> None:
        found = self.meet(process, key)
        if found is not None:
            turn = self.do(self.call(process, key, "GO", None, expected=found.revision - wrong))
            assert turn.reason == "version-conflict"

    @rule(process=st.integers(0, 1), version=st.integers(0, 1))
    def restart(self, process: int, version: int) -> None:
        self.do(self.processes[process].aclose(grace=0))
        self.processes[process] = self.process(version)

    @rule(seconds=st.sampled_from([1.0, 29.0, 61.0, 61.0, TTL + 1]))
    def clock(self, seconds: float) -> None:
        """Time passes for processes that can all read what falls due meanwhile, and see to it."""
        self.deliver()
        top = max([found.version for found in self.expected.values()], default=1)
        for process, version in enumerate(self.versions()):
            if version != top:
                self.restart(process, top - 1)
        self.stores.advance(seconds)
        if seconds < TTL:
            for key in tuple(self.expected):
                self.meet(0, key)
                self.do(self.processes[0].take_turn(key, nothing))

    def deliver(self) -> None:
        """All effects go out, as soon as a process lives that can read the sessions which asked for them."""
        if 2 not in self.versions():
            self.restart(0, 1)
        store = self.processes[0].store
        try:
            self.do(delivered(store, 2))
        except TimeoutError:
            # A process that can't read a session puts it off by a clock that stands still here.
            for process, version in enumerate(self.versions()):
                if version == 1:
                    self.restart(process, 1)
            for key in self.expected:
                self.do(store.wake(key.storage, 0))
            self.restart(0, 1)
            self.do(delivered(self.processes[0].store, 20))

    @invariant()
    def history_has_no_gaps(self) -> None:
        for key, found in getattr(self, "expected", {}).items():
            history = self.do(self.processes[0].store.history(key.storage))
            if history and self.stores.clock.now() < found.used + TTL * 1000:
                assert [past.event.seq for past in history] == list(range(len(history)))

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        try:
            self.deliver()
            assert len(set(self.mails)) == self.asked
        finally:
            self.do(self.stores.aclose())
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.do(asyncio.sleep(0))
            self.loop.close()
            shutil.rmtree(self.folder, ignore_errors=True)


async def nothing(actor: FsmActor[Any]) -> None:
    """Only what is due."""


class SqliteModel(Model):
    kind = "sqlite"


FEW = settings(
    max_examples=8,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # what fails may wait for long, and each smaller try again
    print_blob=True,
)
MANY = settings(FEW, max_examples=150, stateful_step_count=40)


@pytest.mark.parametrize("model", [Model, SqliteModel])
def test_a_store_is_what_the_model_says(model: type[Model]) -> None:
    run(model, FEW)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_store_is_what_the_model_says_at_length() -> None:
    run(SqliteModel, MANY)


def run(model: type[Model], how: settings) -> None:
    case: Any = model.TestCase
    case.settings = how
    case("runTest").runTest()
