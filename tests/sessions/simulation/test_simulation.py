"""Hundreds of simulated runs in which processes die, stop, hang up and are lied to: the contract holds in all of them.

A seed that fails is named in the message; `python -m tests.sessions.simulation --seed N` runs it again, just as it was.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.mutants import ELSEWHERE, MUTANTS, make_mutant
from tests.server.running import ROOT
from tests.sessions.simulation.database import simulated_database
from tests.sessions.simulation.disk import Disk
from tests.sessions.simulation.run import run
from tests.sessions.simulation.world import Storage

FEW = 50
MANY = 1500
ENOUGH = 80
"""Seeds in which each mutant is found out."""
ON_POSTGRES = 80
KINDS = ["crash", "pause", "jump", "disk failure", "duplicate", "hang up", "replay", "ring", "service", "effect"]
"""What did not happen in a run would prove nothing in it."""
IN_ALL_STORES = ["no dedupe", "step code that waits takes no lease", "a delay stays when its state is left"]


def failures(seeds: range, storage: Callable[[random.Random], Storage] = Disk) -> tuple[list[str], Counter[str]]:
    """What went wrong in these seeds, and all that happened."""
    wrong, events = list[str](), Counter[str]()
    for seed in seeds:
        found = run(seed, storage)
        events.update(found.events)
        wrong += [f"seed {seed}: {text}" for text in found.wrong]
    return wrong, events


def test_whatever_goes_wrong_nothing_is_lost_half_done_or_done_twice() -> None:
    wrong, events = failures(range(FEW))

    assert wrong == []
    for kind in KINDS:
        assert events[kind] > FEW / 4, f"{kind}: {events}"


def test_a_seed_is_the_same_run_each_time() -> None:
    first, again = run(7), run(7)

    assert first.trace
    assert (first.trace, first.events) == (again.trace, again.events)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_thousands_of_seeds_hold_too() -> None:
    wrong, _ = failures(range(FEW, MANY))

    assert wrong == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_postgresql_holds_in_as_many_worlds() -> None:
    with simulated_database() as storage:
        wrong, events = failures(range(ON_POSTGRES), storage)

    assert wrong == []
    for kind in KINDS:
        assert events[kind] > ON_POSTGRES / 4, f"{kind}: {events}"


@pytest.mark.slow
def test_a_seed_on_postgresql_is_the_same_run_each_time() -> None:
    with simulated_database() as storage:
        first, again = run(7, storage), run(7, storage)

    assert first.trace
    assert (first.trace, first.events) == (again.trace, again.events)


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("name", "store"),
    [
        *((name, "sqlite") for name in MUTANTS),
        *((name, "postgres") for name in (*IN_ALL_STORES, *ELSEWHERE) if not name.endswith("in memory")),
    ],
)
def test_code_without_a_safeguard_is_found_out(name: str, store: str, tmp_path: Path) -> None:
    mutant = make_mutant(name, tmp_path)
    environment = {**os.environ, "PYTHONPATH": f"{mutant}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.sessions.simulation", "--store", store, "--seeds", str(ENOUGH)]

    result = subprocess.run(
        command, cwd=mutant, env=environment, capture_output=True, text=True, timeout=170, check=False
    )

    assert result.returncode == 1, result.stderr or "it was not found out"
    assert "fails (again: --seed" in result.stdout
