"""Effects of sessions: at least once, in order, and told when they are given up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice.machine.actor import compile_config
from fsmvoice.model.chart import Chart
from fsmvoice.sessions import outbox
from fsmvoice.sessions.outbox import ATTEMPTS
from fsmvoice.sessions.turn import Sessions
from tests.sessions.benches import LOCAL, Stores, delivered, fire, shared_stores, stores, until, value

__all__ = ["shared_stores", "stores"]


class Post:
    """Effects that fail as often as a test wants."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.failures = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def mail(self, to: str, idempotency_key: str) -> None:
        await self.gate.wait()
        self.sent.append((to, idempotency_key))
        if self.failures:
            self.failures -= 1
            raise OSError("no network")

    def chart(self) -> Chart:
        def send(event: dict[str, Any], later: Any) -> None:
            for to in event["to"].split():
                later("mail", to=to)
            if "bad" in event["to"]:
                raise ValueError("bad address")

        def keep(event: dict[str, Any]) -> dict[str, Any]:
            return {"failed": event["error"]}

        return compile_config(
            {
                "id": "m",
                "initial": "a",
                "context": {"failed": None},
                "states": {
                    "a": {"on": {"SEND": {"actions": "send"}, "error.effect.mail": {"target": "b", "actions": "keep"}}},
                    "b": {"on": {"SEND": {"actions": "send"}}},
                },
            },
            actions={"send": send, "keep": keep},
            effects={"mail": self.mail},
        )


@pytest.fixture
def post() -> Post:
    return Post()


async def retried(sessions: Sessions, stores: Stores) -> None:
    """Time passes, and whoever looks after sessions does so."""
    stores.advance(400)
    await sessions._tending._look()  # pyright: ignore[reportPrivateUsage] - as its clock would have it


async def test_effects_run_in_order_each_with_an_id_that_stays(stores: Stores, post: Post) -> None:
    sessions = stores.sessions(post.chart())
    await fire(sessions, "SEND", to="a b c")
    await fire(sessions, "SEND", to="d")
    await delivered(sessions.store)
    assert [to for to, _ in post.sent] == ["a", "b", "c", "d"]
    assert len({key for _, key in post.sent}) == 4


async def test_the_effects_of_a_call_that_failed_or_was_repeated_do_not_run(
    stores: Stores, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(post.chart())
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        await fire(sessions, "SEND", to="a bad")
    await fire(sessions, "SEND", "r", to="b")
    await fire(sessions, "SEND", "r", to="b")
    await delivered(sessions.store)
    assert [to for to, _ in post.sent] == ["b"]


async def test_an_effect_that_fails_is_tried_again_later_with_the_same_id_before_the_next(
    stores: Stores, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(post.chart())
    post.failures = 2
    await fire(sessions, "SEND", to="a b")
    for tries in (1, 2):
        await until(lambda tries=tries: len(post.sent) == tries)  # type: ignore[misc]  # a lambda with a default
        await asyncio.sleep(0.02)
        await retried(sessions, stores)
    await delivered(sessions.store)
    assert [to for to, _ in post.sent] == ["a", "a", "a", "b"]
    assert len({key for to, key in post.sent if to == "a"}) == 1


async def test_an_effect_that_never_works_is_given_up_and_told_to_the_machine(
    stores: Stores, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(post.chart())
    post.failures = ATTEMPTS
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        await fire(sessions, "SEND", to="a b")
        for tries in range(1, ATTEMPTS):
            await until(lambda tries=tries: len(post.sent) >= tries)  # type: ignore[misc]  # a lambda with a default
            await asyncio.sleep(0.02)
            await retried(sessions, stores)
        await delivered(sessions.store)
    (info,) = await sessions.store.list()
    assert (info.dead, info.revision, await value(sessions)) == (1, 2, "b")
    assert (await sessions.look(LOCAL)).context == {"failed": "OSError: no network"}
    assert [to for to, _ in post.sent] == [*["a"] * ATTEMPTS, "b"]
    names = [past.event.name for past in await sessions.store.history(LOCAL.storage)]
    assert names == ["xstate.init", "SEND", "error.effect.mail"]


async def test_an_effect_given_up_that_no_transition_takes_is_a_dead_letter_all_the_same(
    stores: Stores, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(post.chart())
    post.failures = 2 * ATTEMPTS
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        await fire(sessions, "SEND", to="a b")
        for tries in range(1, 2 * ATTEMPTS):
            await until(lambda tries=tries: len(post.sent) >= tries)  # type: ignore[misc]  # a lambda with a default
            await asyncio.sleep(0.02)
            await retried(sessions, stores)
        await delivered(sessions.store)
    (info,) = await sessions.store.list()
    assert (info.dead, info.revision) == (2, 3)
    assert [past.event.seq for past in await sessions.store.history(LOCAL.storage)] == [0, 1, 2, 3]


async def test_effects_that_a_process_left_behind_are_run_by_another(shared_stores: Stores, post: Post) -> None:
    first, other = shared_stores.sessions(post.chart()), shared_stores.sessions(post.chart())
    post.gate.clear()
    await fire(first, "SEND", to="a b")
    await first.aclose(grace=0.01)
    post.gate.set()
    other.begin()
    await delivered(other.store)
    assert [to for to, _ in post.sent] == ["a", "b"]


async def cancelled_within() -> None:
    task = asyncio.ensure_future(asyncio.sleep(10))
    task.cancel()
    await task


async def exits() -> None:
    raise SystemExit(2)


async def never_ends() -> None:
    for _ in range(2):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


@pytest.mark.parametrize("mail", [cancelled_within, exits, never_ends])
async def test_an_effect_that_goes_wrong_in_any_way_is_given_up_in_the_end(
    stores: Stores, mail: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(outbox, "HEED", 0.01)

    def send(later: Callable[..., None]) -> None:
        later("mail")

    chart = compile_config(
        {"id": "m", "initial": "a", "states": {"a": {"on": {"SEND": {"actions": "send"}}}}},
        actions={"send": send},
        effects={"mail": mail},
    )
    sessions = stores.sessions(chart, timeout=0.02)
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        await fire(sessions, "SEND")
        async with asyncio.timeout(20):
            while not any(info.dead for info in await sessions.store.list()):
                await asyncio.sleep(0.01)
                await retried(sessions, stores)
