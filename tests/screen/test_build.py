"""The documents that are served are those that the parts make, and the parts are sound."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from fsmvoice.screen.build import DOCUMENTS, VIEW, build
from tests.tools import node_tool, with_tools

ADVICE = "the parts have changed since it was built; run python -m fsmvoice.screen.build"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_is_what_its_parts_make(name: str) -> None:
    assert (VIEW.parent / name).read_text() == build(name), ADVICE


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_needs_no_network_and_no_storage_and_makes_no_markup(name: str) -> None:
    text = build(name)
    assert not re.search(r"https?://|//cdn|@import|url\(", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text)
    assert "localStorage" not in text
    if name == "app.html":
        assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|sessionStorage|document\.cookie", text)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_comments_for_developers_stay_with_them(name: str) -> None:
    assert "/**" not in build(name)


@pytest.mark.slow
def test_the_parts_are_soundly_typed() -> None:
    command = [str(node_tool("tsc")), "-p", str(VIEW / "tsconfig.json")]
    done = subprocess.run(command, env=with_tools(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_built_script_can_be_read(name: str, tmp_path: Path) -> None:
    (script,) = re.findall(r'<script type="module">(.*?)</script>', build(name), re.DOTALL)
    (tmp_path / "built.mjs").write_text(script)
    command = [str(node_tool("node")), "--check", str(tmp_path / "built.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
