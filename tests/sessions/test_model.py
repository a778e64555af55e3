"""Any sequence of calls, repeats, restarts, migrations and waits leaves a store as a plain model of it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.faults.mutants import make_mutant
from tests.server.running import ROOT
from tests.sessions.model.run import Kind, search

MUTANTS: list[tuple[str, Kind]] = [
    ("no compare-and-set in memory", "memory"),
    ("no dedupe", "memory"),
    ("acknowledged before the commit in memory", "memory"),
    ("no compare-and-set", "sqlite"),
    ("no dedupe", "sqlite"),
    ("acknowledged before the commit", "sqlite"),
    ("a delay is not noted in the store", "sqlite"),
    ("no compare-and-set in PostgreSQL", "postgres"),
    ("no dedupe", "postgres"),
    ("acknowledged before the commit in PostgreSQL", "postgres"),
    ("a delay is not noted in PostgreSQL", "postgres"),
]
KINDS: list[Kind] = ["memory", "sqlite", "postgres"]
SHARED: list[Kind] = ["sqlite", "postgres"]
FEW = settings(
    max_examples=8,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.generate],
    print_blob=True,
)
MANY = settings(FEW, stateful_step_count=40, phases=[Phase.generate, Phase.shrink])
EXAMPLES = {"memory": 200, "sqlite": 80, "postgres": 50}


@pytest.mark.parametrize("kind", KINDS)
def test_a_store_is_what_the_model_says(kind: Kind) -> None:
    search(kind, FEW)


@pytest.mark.parametrize("kind", ["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def test_a_search_is_the_same_each_time(kind: Kind) -> None:
    assert search(kind, FEW) == search(kind, FEW)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", KINDS)
def test_a_store_is_what_the_model_says_at_length(kind: Kind) -> None:
    search(kind, settings(MANY, max_examples=EXAMPLES[kind]))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", SHARED)
def test_a_store_that_several_ask_at_once_is_what_the_model_says(kind: Kind) -> None:
    search(
        kind,
        settings(MANY, max_examples=EXAMPLES[kind], derandomize=False, database=None, phases=[Phase.generate]),
        together=True,
    )


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("name", "kind"), MUTANTS)
def test_a_store_without_a_safeguard_is_found_out(name: str, kind: Kind, tmp_path: Path) -> None:
    mutant = make_mutant(name, tmp_path)
    environment = {**os.environ, "PYTHONPATH": f"{mutant}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.sessions.model", "--store", kind]
    if (name, kind) == ("acknowledged before the commit", "sqlite"):
        command.append("--together")  # without its thread, nothing is acknowledged before all of it is done

    result = subprocess.run(
        command, cwd=mutant, env=environment, capture_output=True, text=True, timeout=170, check=False
    )

    assert result.stdout.endswith("the store is not what the model says\n"), result.stdout + result.stderr
    assert "AssertionError" in result.stdout
