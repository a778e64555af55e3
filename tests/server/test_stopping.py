"""How a server ends: it says so first, finishes what runs, and lets nothing new in meanwhile."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import Popen

import httpx2
import pytest
from mcp import Client

from tests.server.running import BOTH_ERAS, Mode, said, serving

SLOW = """\
import asyncio, pathlib
from fsmvoice import State, VoiceMachine, transition

class Slow(VoiceMachine):
    here = State(initial=True, prompt="You are here.")
    there = State(prompt="You are there.")

    @transition("GO", source=here, target=there)
    async def go(self) -> None:
        print("started", flush=True)
        while not pathlib.Path("go").exists():
            await asyncio.sleep(0.02)
"""


@asynccontextmanager
async def slow(folder: Path, *options: str) -> AsyncGenerator[tuple[Popen[str], str]]:
    (folder / "slow.py").write_text(SLOW)
    with serving("slow.py", *options, cwd=folder) as (process, url):
        yield process, url


HERE, THERE = "You are here. You can go.", "You are there. You can start over."


async def started(process: Popen[str]) -> None:
    assert process.stdout is not None
    assert await asyncio.to_thread(process.stdout.readline) == "started\n"


async def until(url: str, status: int) -> httpx2.Response:
    """Ask until this is the answer."""
    async with httpx2.AsyncClient() as http, asyncio.timeout(5):
        while (answer := await http.get(url)).status_code != status:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)
        return answer


async def closed(url: str) -> None:
    """Wait until nobody is let in any more."""
    async with asyncio.timeout(5), httpx2.AsyncClient() as http:
        try:
            while (await http.get(url)).is_success:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)
        except httpx2.TransportError:
            return


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_call_that_runs_is_finished_and_answered(mode: Mode, tmp_path: Path) -> None:
    async with slow(tmp_path, "--store", "sqlite:///s.db") as (process, url), Client(url, mode=mode) as client:
        # A client asks for the list of tools after its first call.
        assert await said(client, "slow_status") == HERE
        call = asyncio.create_task(said(client, "slow_go"))
        await started(process)
        process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.3)
        (tmp_path / "go").touch()
        assert await call == THERE
        assert await asyncio.to_thread(process.wait, 10) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


async def test_new_calls_are_refused_while_the_last_ones_run(tmp_path: Path) -> None:
    async with slow(tmp_path) as (process, url), Client(url) as client:
        assert await said(client, "slow_status") == HERE
        call = asyncio.create_task(said(client, "slow_go"))
        await started(process)
        process.send_signal(signal.SIGTERM)
        await closed(url.replace("/mcp", "/healthz"))
        (tmp_path / "go").touch()
        assert await call == THERE


async def test_calls_are_taken_while_it_drains_and_readyz_says_so(tmp_path: Path) -> None:
    async with slow(tmp_path, "--drain", "60") as (process, url), Client(url) as client, httpx2.AsyncClient() as http:
        assert "connection" not in (await http.post(url)).headers
        ready = await until(url.replace("/mcp", "/readyz"), 200)
        assert ready.json() == {"status": "ready", "store": "ok", "draining": False}
        process.send_signal(signal.SIGTERM)
        draining = await until(url.replace("/mcp", "/readyz"), 503)
        assert draining.json() == {"status": "draining", "store": "ok", "draining": True}
        assert await said(client, "slow_status") == HERE
        assert (await http.post(url)).headers["connection"] == "close"
        await until(url.replace("/mcp", "/healthz"), 200)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 5) == -signal.SIGTERM


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_it_at_once_and_quietly(told: signal.Signals, tmp_path: Path) -> None:
    async with slow(tmp_path, "--store", "sqlite:///s.db") as (process, url):
        async with httpx2.AsyncClient() as http:  # it has started once it answers
            await http.get(url.replace("/mcp", "/healthz"))
        process.send_signal(told)
        await asyncio.sleep(0.1)
        process.send_signal(told)
        assert await asyncio.to_thread(process.wait, 5) in (-told, 0)
        assert process.stderr is not None
        assert process.stderr.read().endswith("Ctrl-C.\n")


STUBBORN = """\
import asyncio
from fsmvoice import State, VoiceMachine, effect, invoke, transition

async def stubborn() -> None:
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

class Stubborn(VoiceMachine):
    here = State(initial=True, prompt="You are here.")
    there = State(prompt="You are there.")

    @effect
    async def mail(self) -> None:
        await stubborn()

    @invoke(during=there)
    async def watch(self) -> None:
        await stubborn()

    @transition("GO", source=here, target=there)
    def go(self) -> None:
        self.mail.later()
"""


@pytest.mark.slow
async def test_code_that_does_not_heed_a_cancellation_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    with serving("stubborn.py", "--store", "sqlite:///s.db", cwd=tmp_path) as (process, url):
        async with Client(url) as client:
            await said(client, "stubborn_go")
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 15) == 0
        assert process.stderr is not None
        assert "ignored its cancellation" in process.stderr.read()


@pytest.mark.slow
async def test_a_call_that_takes_too_long_is_cut_short_and_changed_nothing(tmp_path: Path) -> None:
    async with slow(tmp_path, "--grace", "0.3", "--store", "sqlite:///s.db") as (process, url), Client(url) as client:
        call = asyncio.create_task(said(client, "slow_go"))
        await started(process)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(Exception, match=r".*"):
            await call
        assert await asyncio.to_thread(process.wait, 10) == 0
    async with slow(tmp_path, "--store", "sqlite:///s.db") as (_, url), Client(url) as client:
        assert await said(client, "slow_status") == HERE


@pytest.mark.slow
async def test_each_line_of_the_log_is_a_record(tmp_path: Path) -> None:
    async with slow(tmp_path, "--log-format", "json", "--grace", "0.2") as (process, url), Client(url) as client:
        call = asyncio.create_task(client.call_tool("slow_go", {}))
        await started(process)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(Exception, match=r".*"):
            await call
        await asyncio.to_thread(process.wait, 10)
        assert process.stderr is not None
        lines = [line for line in process.stderr.read().splitlines() if line.startswith("{")]
    records = [json.loads(line) for line in lines]
    assert any(
        "longer than the grace period" in record["message"] and record["level"] == "warning" for record in records
    )
