"""Every block of Python in the docs stands in a file that runs, and what a snippet's comments promise is printed."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SNIPPETS = sorted((ROOT / "docs" / "snippets").glob("*.py"))
SOURCES = [path.read_text() for path in [*SNIPPETS, *sorted((ROOT / "examples").glob("*.py"))]]
SCRIPTS = [path for path in SNIPPETS if "print(" in path.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_in_docs_is_the_code_of_a_tested_file(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.S):
        code = block.strip("\n")
        assert any(code in source for source in SOURCES), f"{page.name} shows code that no tested file holds:\n{code}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert link.startswith("http") or (page.parent / link).exists(), f"{page.name} links to {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_docs_name_exist(page: Path) -> None:
    for name in re.findall(r"`((?:examples|docs|tests|fsmvoice)/[\w./-]+)`", page.read_text()):
        assert (ROOT / name).exists(), f"{page.name} names {name}"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_snippet_prints_what_its_comments_say(script: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", script.name], cwd=script.parent, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    promised = re.findall(r"print\(.*\)  # (.+)", script.read_text())
    printed = result.stdout.splitlines()
    missing = [line for line in promised if line not in printed]
    assert not missing, textwrap.indent("\n".join(printed), "  ")


def test_the_tests_of_the_tutorial_pass() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "guarded_test.py"]
    result = subprocess.run(command, cwd=ROOT / "docs" / "snippets", capture_output=True, text=True, check=False)
    assert "3 passed" in result.stdout, result.stdout + result.stderr
