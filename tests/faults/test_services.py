"""A service is answered at once if it is fast, told later if it is slow, and outlives the server that runs it."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from fsmvoice.sessions.committing import SERVICE_LEASE
from tests.faults.scene import WAITING, Scene, scene, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


async def test_a_fast_service_is_in_the_reply_and_a_slow_one_is_news(url: str, tmp_path: Path) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start()
        fast = await here.call(0, "check", "fast", "r", seconds=0.0)
        assert isinstance(fast, dict)
        assert fast["state"]["value"] == "found"
        assert "We have it." in fast["say"]
        again = await here.call(1, "check", "fast", "r", seconds=0.0)
        assert isinstance(again, dict)
        assert (again["replayed"], again["say"]) == (True, fast["say"])

        slow = await here.call(0, "check", "slow", "r", seconds=1.0)
        assert isinstance(slow, dict)
        assert slow["state"]["value"] == "checking"
        await until(lambda: stands(here, "slow", "found"))
        later = await here.call(1, "status", "slow")
        assert isinstance(later, dict)
        assert "It was found." in later["say"]
        told_once = await here.call(0, "status", "slow")
        assert isinstance(told_once, dict)
        assert "It was found." not in told_once["say"]


async def test_a_service_whose_server_is_killed_is_run_again_once(url: str, tmp_path: Path) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start()
        told = await here.call(0, "check", "s", "r", seconds=4.0)
        assert isinstance(told, dict)
        here.replicas[0].kill()

        taken = await until(lambda: sum(line.startswith("begin") for line in here.receipts()) == 2, 90)
        await until(lambda: stands(here, "s", "found"), 60)

        sys.stdout.write(f"the service was taken over {taken:.1f} s after the kill\n")
        assert taken < SERVICE_LEASE + 10
        lines = here.receipts()
        assert [line.split()[0] for line in lines] == ["begin", "begin", "end"]
        assert len({line.split()[1] for line in lines}) == 1
        assert await here.names("s") == ["CHECK", "xstate.done.actor.look"]
        await here.start(0)
        assert '"checked":1' in await document(here, "s")
        assert len(here.receipts()) == 3


async def test_a_service_whose_server_is_stopped_in_order_goes_on_at_the_other_at_once(
    url: str, tmp_path: Path
) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start()
        await here.call(0, "check", "s", "r", seconds=4.0)
        here.replicas[0].signal(signal.SIGTERM)

        taken = await until(lambda: sum(line.startswith("begin") for line in here.receipts()) == 2, 60)
        await until(lambda: stands(here, "s", "found"), 60)

        sys.stdout.write(f"the service was taken over {taken:.1f} s after SIGTERM\n")
        assert taken < SERVICE_LEASE * 2 / 3, "before its lease would have ended"
        assert [line.split()[0] for line in here.receipts()] == ["begin", "begin", "end"]


async def test_a_service_that_must_not_be_begun_twice_fails_where_its_server_is_killed(
    url: str, tmp_path: Path
) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start()
        await here.call(0, "pay", "s", "r", seconds=1000.0)
        here.replicas[0].kill()

        await until(lambda: stands(here, "s", "unsure"), 90)

        assert [line.split()[0] for line in here.receipts()] == ["charge"]
        assert await here.names("s") == ["PAY", "xstate.error.actor.charge"]


async def stands(here: Scene, session: str, state: str) -> bool:
    return f'"states":["{state}"]' in await document(here, session)


async def document(here: Scene, session: str) -> str:
    stored = await here.store.load(here.key(session).storage)
    return "" if stored is None else stored.document or ""
