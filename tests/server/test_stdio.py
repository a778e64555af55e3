"""A server that its host starts, over standard input and output."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.server.running import BOTH_ERAS, ROOT, Mode, command, environment, said

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def started(*arguments: str, cwd: Path = ROOT) -> subprocess.Popen[str]:
    """A server over stdio, which has answered and so is running."""
    process = subprocess.Popen(
        command("serve", *arguments, "--stdio"),
        cwd=cwd,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert answer["result"]["serverInfo"]["name"] == "coffee"
    return process


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_client_orders_a_coffee(mode: Mode) -> None:
    first, *rest = command("serve", "examples/coffee.py", "--stdio")
    server = StdioServerParameters(command=first, args=rest, cwd=str(ROOT), env=environment())
    async with Client(stdio_client(server), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools][:2] == ["coffee_order", "coffee_confirm"]
        assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"
        assert (await said(client, "coffee_ready")).startswith("! You can't")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_though_the_host_still_holds_the_pipe(number: signal.Signals) -> None:
    process = started("examples/coffee.py")
    process.send_signal(number)
    assert process.wait(timeout=10) == 0
    out, err = process.communicate()
    assert (out, err) == ("", "")


def test_the_end_of_its_input_stops_it() -> None:
    process = started("examples/coffee.py")
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (0, "", "")


def test_nothing_but_the_protocol_is_written_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(
        "from examples.coffee import Coffee as Base\n"
        "from fsmvoice import transition\n"
        "print('imported')\n"
        "class Coffee(Base, id='coffee'):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        print('made')\n"
        "    @transition('SHOUT', source='idle')\n"
        "    def shout(self): print('acted')\n"
    )
    process = started("chatty.py", cwd=tmp_path)
    assert process.stdin is not None
    call: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "coffee_shout", "arguments": {}},
    }
    for message in ({"jsonrpc": "2.0", "method": "notifications/initialized"}, call):
        process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["id"] == 2
    out, err = process.communicate(timeout=10)
    assert out == ""
    assert "imported" in err
    assert "acted" in err
