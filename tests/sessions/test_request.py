"""A request is done once under its id, and only at the revision that it expects."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.sessions.keys import CallContext, session_key
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.request import Request, digest_of
from fsmvoice.sessions.store import Commit, Committed
from fsmvoice.sessions.turn import Sessions, Turn
from tests.voice.machines import chart_of

LOCAL = session_key(CallContext(), "m")
COUNTER = {
    "id": "m",
    "initial": "a",
    "context": {"n": 0},
    "states": {"a": {"on": {"GO": {"actions": "act"}, "NO": {"guard": "never"}}}},
}


class Counting:
    def __init__(self, store: MemoryStore | None = None) -> None:
        self.calls = 0
        chart = chart_of(COUNTER, actions={"act": self.act}, guards={"never": lambda: False})
        self.sessions = Sessions(chart, MemoryStore() if store is None else store)

    async def act(self, context: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        await asyncio.sleep(0)
        return {"n": context["n"] + 1}

    async def turn(self, event: str = "GO", **options: Any) -> Turn:
        async def work(actor: FsmActor[Any]) -> Outcome[Any]:
            return await actor.fire(event, {})

        return await self.sessions.take_turn(LOCAL, work, Request(say=said, **options))


def said(outcome: Outcome[Any]) -> str:
    return f"count {outcome.context['n']}"


async def test_a_request_that_is_sent_again_is_done_once_and_answered_as_before() -> None:
    counting = Counting()
    first = await counting.turn(id="r", sent="x")
    await counting.turn()

    again = await counting.turn(id="r", sent="x")

    assert (first.said, first.replayed) == ("count 1", None)
    assert (again.replayed, again.outcome, again.changed) == ("count 1", None, False)
    assert again.snapshot is not None
    assert again.snapshot.context == {"n": 2}
    assert counting.calls == 2


async def test_of_32_identical_requests_at_once_one_is_done() -> None:
    counting = Counting()

    turns = await asyncio.gather(*(counting.turn(id="r", sent="x") for _ in range(32)))

    assert counting.calls == 1
    assert sorted(turn.replayed or "" for turn in turns) == ["", *["count 1"] * 31]


async def test_another_request_under_the_same_id_is_refused() -> None:
    counting = Counting()
    await counting.turn(id="r", sent="x")

    assert await counting.turn(id="r", sent="y") == Turn(reason="request-id-reused")
    assert counting.calls == 1


async def test_a_refusal_is_not_remembered() -> None:
    counting = Counting()

    assert (await counting.turn("NO", id="r", sent="x")).reason == "guard-rejected"
    assert (await counting.turn(id="r", sent="y")).reason is None


@pytest.mark.parametrize(("expected", "reason"), [(0, None), (1, "version-conflict"), (None, None)])
async def test_nothing_is_done_at_another_revision_than_the_expected_one(
    expected: int | None, reason: str | None
) -> None:
    counting = Counting()

    turn = await counting.turn(expected=expected)

    assert turn.reason == reason
    assert counting.calls == (0 if reason else 1)


async def test_a_repeated_request_is_answered_whatever_revision_it_expects() -> None:
    counting = Counting()
    await counting.turn(id="r", sent="x", expected=0)

    assert (await counting.turn(id="r", sent="x", expected=0)).replayed == "count 1"


async def test_a_timer_that_nobody_saw_fire_is_a_conflict_and_stands() -> None:
    chart = chart_of({"id": "m", "initial": "a", "states": {"a": {"after": {"60000": "b"}}, "b": {"on": {"GO": "a"}}}})
    sessions = Sessions(chart, MemoryStore())
    await sessions.look(LOCAL)
    stored = await sessions.store.load(LOCAL.storage)
    assert stored is not None
    assert stored.state is not None
    (timer,) = stored.state.timers
    overdue = stored.state._replace(timers=(timer._replace(due=0),), seq=1)
    await sessions.store.commit(Commit(LOCAL.storage, 0, overdue, chart=chart))

    async def go(actor: FsmActor[Any]) -> Outcome[Any]:
        return await actor.fire("GO", {})

    turn = await sessions.take_turn(LOCAL, go, Request(expected=1))

    assert (turn.reason, turn.changed) == ("version-conflict", True)
    kept = await sessions.store.load(LOCAL.storage)
    assert kept is not None
    assert kept.revision == 2


def test_equal_json_has_equal_digests() -> None:
    assert digest_of("GO", {"a": 1, "b": [2]}) == digest_of("GO", {"b": [2], "a": 1})
    assert digest_of("GO", {"a": 1}) != digest_of("GO", {"a": "1"})
    assert digest_of("GO", {}) != digest_of("BACK", {})


class Waiting(MemoryStore):
    """A store whose commits of events take until they are let go."""

    instant = False

    def __init__(self) -> None:
        super().__init__()
        self.submitted, self.released = asyncio.Event(), asyncio.Event()
        self.fails = False

    async def commit(self, commit: Commit) -> Committed:
        if commit.expected is not None:
            self.submitted.set()
            await self.released.wait()
            if self.fails:
                raise OSError("the disk is full")
        return await super().commit(commit)


async def test_a_call_that_is_cancelled_during_its_commit_is_committed_whole() -> None:
    store = Waiting()
    counting = Counting(store)
    heard: list[int] = []
    counting.sessions.feed.listen(LOCAL.storage, heard.append)
    call = asyncio.create_task(counting.turn(id="r", sent="x"))
    await store.submitted.wait()

    for _ in range(3):
        call.cancel()
        await asyncio.sleep(0)
    assert not call.done()
    store.released.set()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert heard == [0, 1]
    assert (await counting.turn(id="r", sent="x")).replayed == "count 1"
    assert counting.calls == 1


async def test_a_commit_that_fails_after_its_call_was_cancelled_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    store = Waiting()
    counting = Counting(store)
    store.fails = True
    call = asyncio.create_task(counting.turn())
    await store.submitted.wait()

    call.cancel()
    store.released.set()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert "the disk is full" in caplog.text
    store.fails = False
    assert (await counting.turn()).reason is None


def _nested(depth: int) -> dict[str, Any]:
    inside: dict[str, Any] = {}
    for _ in range(depth):
        inside = {"a": inside}
    return inside


@pytest.mark.parametrize(
    "arguments", [_nested(5000), {"n": 10**5000}, {"a": {1: 0, "b": 0}}], ids=["deep", "long", "key"]
)
def test_what_is_too_much_for_json_has_a_digest_too(arguments: dict[str, Any]) -> None:
    assert digest_of("GO", arguments) == digest_of("GO", arguments) != digest_of("NO", arguments)
