"""The MCP Inspector's command line, as the server tells to try it."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.server.running import ROOT, command, environment, serving
from tests.tools import node_tool, with_tools

pytestmark = pytest.mark.slow


def inspect(*arguments: str, code: int = 0) -> Any:
    """What the Inspector prints."""
    done = subprocess.run(
        [node_tool("mcp-inspector"), "--cli", *arguments],
        cwd=ROOT,
        env={**environment(), **with_tools(), "MCP_INSPECTOR_SECRET_STORE": "memory"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def call(*target: str, tool: str, code: int = 0, **arguments: object) -> dict[str, Any]:
    args = ["--tool-args-json", json.dumps(arguments)] if arguments else []
    done = inspect(*target, "--method", "tools/call", "--tool-name", tool, *args, "--format", "json", code=code)
    result: dict[str, Any] = json.loads(done.stdout)["result"]
    return result


@pytest.fixture(params=["legacy", "modern"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """The arguments that lead the Inspector to a running server, in each protocol era."""
    with serving("examples/coffee.py") as (_, url):
        if request.param == "legacy":
            yield (url, "--transport", "http")
            return
        config = tmp_path / "modern.json"
        server = {"type": "streamable-http", "url": url, "protocolEra": "modern"}
        config.write_text(json.dumps({"mcpServers": {"coffee": server}}))
        yield ("--config", str(config), "--server", "coffee")


def test_the_tools_are_listed_without_a_complaint(target: tuple[str, ...]) -> None:
    done = inspect(*target, "--method", "tools/list", "--strict", "--format", "json")
    names = [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]
    assert names[:4] == ["coffee_order", "coffee_confirm", "coffee_cancel", "coffee_ready"]
    complaints = [line for line in done.stderr.splitlines() if line and not line.startswith("[mcp-inspector]")]
    assert complaints == []


def test_a_coffee_is_ordered_refused_asked_about_and_started_over(target: tuple[str, ...]) -> None:
    assert call(*target, tool="coffee_order", drink="latte")["content"][0]["text"].startswith("One medium latte.")
    refused = call(*target, tool="coffee_ready", code=5)
    assert refused["isError"] is True
    assert refused["content"][0]["text"].startswith("You can't say it is ready right now.")
    assert call(*target, tool="coffee_start_over")["structuredContent"]["state"]["value"] == "idle"
    asked = call(*target, tool="coffee_order", code=5)
    assert asked["content"][0]["text"].startswith("Which drink would you like: latte")
    done = inspect(*target, "--method", "resources/read", "--uri", "fsm://state")
    assert "idle" in done.stdout


def test_the_server_can_be_started_by_it() -> None:
    first, *rest = command("serve", "examples/coffee.py", "--stdio")
    done = inspect("--method", "tools/list", "--strict", "--", first, *rest)
    assert "coffee_order" in done.stdout


def test_the_command_that_a_server_tells_works() -> None:
    with serving("examples/coffee.py") as (process, _):
        assert process.stderr is not None
        told = next(line for line in process.stderr if line.startswith("Try it:"))
        words = shlex.split(told.removeprefix("Try it:"))
        arguments = words[words.index("--cli") + 1 :]
        assert "One medium latte" in inspect(*arguments).stdout
