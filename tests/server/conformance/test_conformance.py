"""The conformance suite of the protocol, for both versions that have requirements."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.server.conformance.machine import Conformance
from tests.server.running import running
from tests.tools import node_tool, with_tools

HERE = Path(__file__).parent
VERSIONS = ("2025-11-25", "2026-07-28")
LEAST_PASSED = {"2025-11-25": 12, "2026-07-28": 14}


def expected_failures(version: str) -> Path:
    return HERE / f"expected-failures-{version}.yml"


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("version", VERSIONS)
async def test_all_scenarios_pass_but_those_whose_failure_has_a_reason(version: str, tmp_path: Path) -> None:
    tool = node_tool("conformance")
    uri = "test://watched-resource"
    bridge = create_fsm_mcp_bridge(Conformance, tool_name=str.lower, state_resource_uri=uri)
    async with running(asgi(bridge)) as url:
        words = ["server", "--url", f"{url}/mcp", "--requirements", version, "-o", str(tmp_path)]
        process = await asyncio.create_subprocess_exec(
            *map(str, [tool, *words, "--expected-failures", expected_failures(version)]),
            env=with_tools(),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
    summary = out.decode().partition("=== SUMMARY ===")[2]
    assert process.returncode == 0, summary or out.decode()
    passed = re.findall(r"^✓ ([\w-]+): [1-9]", summary, re.M)
    assert len(passed) >= LEAST_PASSED[version], summary


@pytest.mark.parametrize("version", VERSIONS)
def test_every_expected_failure_stands_under_its_reason(version: str) -> None:
    lines = expected_failures(version).read_text().partition("server:\n")[2].splitlines()
    assert lines[0].startswith("  # ")
    assert all(re.fullmatch(r"  # [A-Z].{30,}\.|  - [\w:-]+", line) for line in lines)
