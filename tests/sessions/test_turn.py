"""A turn commits everything or nothing, whatever the user's code does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.errors import Refuse
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionNotFound, handle_key, session_key
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.store import Commit, Committed, CommitUnknown, Limits, StoredSession, StoreUnavailable
from fsmvoice.sessions.turn import Sessions, Turn
from tests.voice.machines import chart_of

LOCAL = session_key(CallContext(), "m")


class Code:
    """Step code that does what a test wants of it."""

    def __init__(self) -> None:
        self.mode, self.calls, self.starts = "plain", 0, 0
        self.running = asyncio.Event()

    async def act(self, context: dict[str, Any]) -> Mapping[str, Any]:
        self.calls += 1
        context["dirty"] = True
        self.running.set()
        match self.mode:
            case "raise":
                raise ValueError("the kettle is broken")
            case "refuse":
                raise Refuse("Not today.")
            case "hang":
                await asyncio.Event().wait()
            case "stubborn":
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    return {"n": 99}
            case _:
                await asyncio.sleep(0)
        return {"n": context["n"] + 1}

    def start(self) -> None:
        self.starts += 1
        if self.mode == "fail at start":
            raise ValueError("no start")


def machine(code: Code) -> Chart:
    return chart_of(
        {
            "id": "m",
            "initial": "a",
            "context": {"n": 0},
            "entry": "start",
            "states": {"a": {"on": {"GO": {"target": "b", "actions": "act"}}}, "b": {"on": {"BACK": "a"}}},
        },
        actions={"act": code.act, "start": code.start},
    )


async def go(actor: FsmActor[Any]) -> Outcome[Any]:
    return await actor.fire("GO", {})


async def back(actor: FsmActor[Any]) -> Outcome[Any]:
    return await actor.fire("BACK", {})


async def stands(sessions: Sessions) -> tuple[Any, Any]:
    snapshot = await sessions.look(LOCAL)
    return snapshot.value, snapshot.context


async def test_a_session_starts_once_and_goes_on_from_where_it_was() -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore())

    assert (await sessions.look(LOCAL)).revision == 0
    turn = await sessions.take_turn(LOCAL, go)
    await sessions.take_turn(LOCAL, back)

    assert turn.outcome is not None
    assert turn.outcome.ok
    assert await stands(sessions) == ("a", {"n": 1, "dirty": True})
    assert (await sessions.look(LOCAL)).revision == 2
    assert code.starts == 1


@pytest.mark.parametrize(
    ("mode", "reason"), [("raise", "action-failed"), ("hang", "action-timeout"), ("stubborn", "action-timeout")]
)
async def test_step_code_that_fails_leaves_everything_as_it_was(
    mode: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore(), timeout=0.01)
    code.mode = mode

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        turn = await sessions.take_turn(LOCAL, go)

    assert turn == Turn(None, reason, 1)  # type: ignore[arg-type]  # the parameter is a code
    assert await stands(sessions) == ("a", {"n": 0})
    code.mode = "plain"
    assert (await sessions.take_turn(LOCAL, go)).outcome is not None
    assert await stands(sessions) == ("b", {"n": 1, "dirty": True})


async def test_a_refusal_in_words_leaves_everything_as_it_was() -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore())
    code.mode = "refuse"

    turn = await sessions.take_turn(LOCAL, go)

    assert turn.reason == "refused"
    assert await stands(sessions) == ("a", {"n": 0})


async def test_a_cancelled_call_leaves_everything_as_it_was() -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore())
    code.mode = "hang"
    call = asyncio.create_task(sessions.take_turn(LOCAL, go))
    await code.running.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert await stands(sessions) == ("a", {"n": 0})
    code.mode = "plain"
    assert (await sessions.take_turn(LOCAL, go)).reason is None


async def test_the_traceback_of_step_code_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore())
    code.mode = "raise"

    with caplog.at_level(logging.ERROR, "fsmvoice"):
        await sessions.take_turn(LOCAL, go)

    assert "the kettle is broken" in caplog.text
    assert "Traceback" in caplog.text


async def test_who_waits_too_long_for_a_turn_is_told_that_it_is_busy() -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore(), timeout=0.05)
    code.mode = "hang"
    await sessions.look(LOCAL)
    first = asyncio.create_task(sessions.take_turn(LOCAL, go))
    await code.running.wait()
    sessions.timeout = 0.001

    assert (await sessions.take_turn(LOCAL, go)).reason == "busy"
    assert (await first).reason == "action-timeout"


async def test_a_reader_waits_for_nobody_and_sees_what_was_committed() -> None:
    code = Code()
    sessions = Sessions(machine(code), MemoryStore())
    code.mode = "hang"
    call = asyncio.create_task(sessions.take_turn(LOCAL, go))
    await code.running.wait()

    assert await stands(sessions) == ("a", {"n": 0})
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_failures_in_a_row_are_counted_until_something_changes() -> None:
    sessions = Sessions(machine(Code()), MemoryStore())

    attempts = [
        (await sessions.take_turn(LOCAL, back)).attempts,
        await sessions.miss(LOCAL),
        (await sessions.take_turn(LOCAL, back)).attempts,
        (await sessions.take_turn(LOCAL, go)).attempts,
        (await sessions.take_turn(LOCAL, go)).attempts,
    ]

    assert attempts == [1, 2, 3, 0, 1]


async def test_a_handle_that_nobody_holds_names_no_session() -> None:
    sessions = Sessions(machine(Code()), MemoryStore())
    key = handle_key(CallContext(), "m", "never given out")

    assert (await sessions.take_turn(key, go)).reason == "session-not-found"
    with pytest.raises(SessionNotFound):
        await sessions.look(key)
    assert len(sessions.store) == 0  # type: ignore[arg-type]  # a MemoryStore


async def test_a_machine_that_fails_to_start_leaves_no_session_behind(caplog: pytest.LogCaptureFixture) -> None:
    code, store = Code(), MemoryStore()
    sessions = Sessions(machine(code), store)
    code.mode = "fail at start"

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        assert (await sessions.take_turn(LOCAL, go)).reason == "action-failed"
    assert len(store) == 0
    code.mode = "plain"
    assert (await sessions.take_turn(LOCAL, go)).reason is None


async def test_a_full_store_refuses_a_new_session() -> None:
    sessions = Sessions(machine(Code()), MemoryStore(limit=0))

    assert (await sessions.take_turn(LOCAL, go)).reason == "limit-exceeded"


async def test_who_looks_sees_the_timers_stepped_that_were_due() -> None:
    chart = chart_of({"id": "m", "initial": "a", "states": {"a": {"after": {"60000": "b"}}, "b": {}}})
    sessions = Sessions(chart, MemoryStore())
    assert (await sessions.look(LOCAL)).value == "a"

    stored = await sessions.store.load(LOCAL.storage)
    assert stored is not None
    assert stored.state is not None
    (timer,) = stored.state.timers
    overdue = stored.state._replace(timers=(timer._replace(due=0),), seq=1)
    await sessions.store.commit(Commit(LOCAL.storage, 0, overdue, chart=chart))

    assert (await sessions.look(LOCAL)).value == "b"
    assert (await sessions.look(LOCAL)).revision == 2


class Meddled(MemoryStore):
    """A store that another process writes to just before each of the first commits."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def commit(self, commit: Commit) -> Committed:
        if commit.expected is not None and self.times:
            self.times -= 1
            stored = await self.load(commit.key)
            assert stored is not None
            assert stored.state is not None
            meddled = stored.state._replace(seq=stored.revision + 10)
            await super().commit(Commit(commit.key, stored.revision, meddled, chart=commit.chart))
        return await super().commit(commit)


async def test_an_event_that_another_process_overtook_is_tried_again_on_what_is_there_now() -> None:
    code = Code()
    sessions = Sessions(machine(code), Meddled(1))

    turn = await sessions.take_turn(LOCAL, go)

    assert turn.outcome is not None
    assert turn.outcome.snapshot.revision == 11
    assert code.calls == 2


async def test_an_event_that_is_overtaken_again_and_again_gives_up_without_a_trace() -> None:
    sessions = Sessions(machine(Code()), Meddled(1000))

    assert (await sessions.take_turn(LOCAL, go)).reason == "busy"
    assert (await stands(sessions))[0] == "a"


@pytest.mark.parametrize("times", [{"timeout": 0}, {"timeout": float("nan")}, {"settle": -1}, {"settle": float("inf")}])
def test_what_is_not_a_time_is_refused(times: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="are no time"):
        Sessions(machine(Code()), MemoryStore(), **times)


def test_limits_that_can_not_be_are_reported_at_once() -> None:
    with pytest.raises(ValueError, match=r"ttl is nan.*; context is -1; it should be 0 or more; history is -2"):
        Limits(ttl=float("nan"), context=-1, history=-2)
    for ttl in (0, -1, float("inf")):
        with pytest.raises(ValueError, match="ttl is"):
            Limits(ttl=ttl)
    assert Limits(ttl=0.1, sessions=0, timers=0).sessions == 0


class Cut(MemoryStore):
    """A store at the other end of a connection that breaks with each commit; `reachable` or not after that."""

    instant = False
    reachable = True
    broke = False

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        if self.broke and not self.reachable:
            raise StoreUnavailable("it is away")
        return await super().load(key, request_id)

    async def commit(self, commit: Commit) -> Committed:
        done = await super().commit(commit)
        if commit.expected is not None:
            self.broke = True
            raise CommitUnknown("the connection broke")
        return done


@pytest.mark.parametrize(
    ("request_id", "reachable", "told"),
    [("r", True, None), ("r", False, "unknown-outcome"), (None, True, "unknown-outcome")],
)
async def test_a_commit_that_may_have_happened_is_not_told_to_have_changed_nothing(
    request_id: str | None, reachable: bool, told: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    store = Cut()
    store.reachable = reachable
    sessions = Sessions(machine(Code()), store)
    turn = await sessions.take_turn(LOCAL, go, Request(id=request_id, sent="GO"))
    await sessions.aclose(0)
    assert turn.reason == told
    assert (turn.replayed is not None) == (told is None)


async def test_where_a_timers_step_fails_the_session_can_be_seen_and_started_over() -> None:
    config = {
        "id": "m",
        "initial": "a",
        "states": {"a": {"on": {"GO": "b"}}, "b": {"after": {"0": {"target": "a", "actions": "burst"}}}},
    }

    def burst() -> None:
        raise ValueError("burst pipe")

    sessions = Sessions(chart_of(config, actions={"burst": burst}), MemoryStore())
    await sessions.take_turn(LOCAL, lambda actor: actor.fire("GO", {}))
    assert (await sessions.take_turn(LOCAL, lambda actor: actor.fire("GO", {}))).reason == "action-failed"
    assert (await sessions.look(LOCAL)).value == "b"
    turn = await sessions.take_turn(LOCAL, lambda actor: actor.reset_async(), due=False)
    assert turn.outcome is not None
    assert turn.outcome.ok
    assert (await sessions.look(LOCAL)).value == "a"
