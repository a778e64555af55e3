"""Type checkers know the class API: they report each mistake in `cases/`, and nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
MARK = re.compile(r"# error: (?P<what>.+)$")

Lines = dict[tuple[str, int], str]


def marked() -> Lines:
    """What each marked line of the cases says is wrong with it."""
    return {
        (path.name, number): found["what"]
        for path in sorted(CASES.glob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if (found := MARK.search(line))
    }


def run(*command: str) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        # pyright --verifytypes looks for packages in the active environment, whatever --pythonpath says
        "VIRTUAL_ENV": sys.prefix,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if not done.stdout.strip():
        pytest.skip(f"{command[0]} can't run here: {done.stderr.strip() or 'it said nothing'}")
    return done.stdout


def reported_by_mypy() -> Iterator[tuple[str, int]]:
    files = [str(path.relative_to(ROOT)) for path in sorted(CASES.glob("*.py"))]
    for line in run("mypy", "--no-error-summary", "--show-error-codes", *files).splitlines():
        found = re.match(r"(?P<file>.+?):(?P<line>\d+): error: ", line)
        if found:
            yield Path(found["file"]).name, int(found["line"])


def reported_by_pyright() -> Iterator[tuple[str, int]]:
    told = json.loads(run("pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(CASES)))
    for item in told["generalDiagnostics"]:
        if item["severity"] == "error":
            yield Path(item["file"]).name, item["range"]["start"]["line"] + 1


@pytest.mark.parametrize("checker", [reported_by_mypy, reported_by_pyright])
def test_every_mistake_is_reported_and_nothing_else(checker: type) -> None:
    reported = set(checker())
    expected = marked()
    missed = {where: what for where, what in expected.items() if where not in reported}
    assert missed == {}
    assert sorted(reported - set(expected)) == []


def test_the_cases_hold_all_mistakes_that_a_checker_can_see() -> None:
    names = {what.partition(" ")[0] for what in marked().values()}
    wanted = {f"B{n}" for n in range(1, 15)} | {f"E{n}" for n in range(2, 10)}
    wanted |= {"U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U10"} | {"V1", "V2", "V3", "V4", "V5", "V6", "V8"}
    assert wanted | {"V9", "V10"} <= names


def test_every_public_name_has_a_known_type() -> None:
    told = json.loads(
        run("pyright", "--outputjson", "--pythonpath", sys.executable, "--verifytypes", "fsmvoice", "--ignoreexternal")
    )
    completeness = told["typeCompleteness"]
    exported = [symbol for symbol in completeness["symbols"] if symbol["isExported"]]
    assert len(exported) > 100
    roots = {
        f"{symbol['name']} ({Path(item['file']).name}:{item['range']['start']['line'] + 1})"
        for symbol in exported
        for item in symbol["diagnostics"]
        if "missing type annotation" in item["message"] or "Type unknown" in item["message"]
    }
    assert sorted(roots) == []
    assert completeness["completenessScore"] == 1
