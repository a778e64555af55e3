"""`serve`: from the first line that it says to a clean end."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import CannotListen, serve
from fsmvoice.sessions.memory import MemoryStore
from tests.server.running import BOTH_ERAS, Mode, said, serving

SLOW = """\
import asyncio
from fsmvoice import State, VoiceMachine, transition

class Slow(VoiceMachine):
    here = State(initial=True)
    there = State()
    @transition("GO", source=here, target=there)
    async def go(self) -> None:
        print("started", flush=True)
        await asyncio.sleep(60)
"""


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_client_orders_a_coffee(mode: Mode) -> None:
    with serving("examples/coffee.py") as (_, url):
        async with Client(url, mode=mode) as client:
            assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_stops_cleanly_while_a_client_is_connected(number: signal.Signals) -> None:
    with serving("examples/coffee.py") as (process, url):
        async with Client(url, mode="legacy") as client:
            await said(client, "coffee_order", drink="latte")
            process.send_signal(number)
            assert process.wait(timeout=10) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == ""
        assert process.stderr.read().rstrip().endswith("Stop with Ctrl-C.")


@pytest.mark.slow
@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_it_stops_without_a_traceback_though_a_call_is_in_progress(mode: Mode, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    with serving("slow.py", cwd=tmp_path) as (process, url):
        async with Client(url, mode=mode) as client:
            call = asyncio.create_task(client.call_tool("slow_go", {}))
            assert process.stdout is not None
            assert await asyncio.to_thread(process.stdout.readline) == "started\n"
            process.send_signal(signal.SIGINT)
            with pytest.raises(MCPError):
                await call
            assert await asyncio.to_thread(process.wait, 10) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_other_computers_are_let_in_only_if_one_says_so(host: str) -> None:
    with pytest.raises(CannotListen, match="without signing in"):
        serve(Coffee, host=host, port=0)


def test_a_host_that_there_is_not_is_told_as_such() -> None:
    with pytest.raises(CannotListen, match=r"there is no host 'nowhere\.invalid'"):
        serve(Coffee, host="nowhere.invalid", port=0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"grace": float("nan")}, "grace is nan"),
        ({"drain": -1.0}, "drain is -1"),
        ({"stateless": True, "sessions": "per-client"}, "no connections"),
        ({"store": MemoryStore()}, "the bridge already has a store"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        serve(create_fsm_mcp_bridge(Coffee), port=0, **options)
