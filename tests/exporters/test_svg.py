"""The picture of a machine as SVG."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import fsmvoice.exporters.svg as module
from fsmvoice.errors import DrawingFailed
from fsmvoice.exporters.svg import to_svg
from fsmvoice.model.parse import parse_config

CONFIG = parse_config({"initial": "idle", "states": {"idle": {"on": {"GO": "done"}}, "done": {"final": True}}})


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of the test's own, found as `dot`."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    path = tmp_path / "dot"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_it_is_one_svg_element_for_a_file_as_well_as_a_page() -> None:
    if shutil.which("dot") is None:
        pytest.skip("dot is not installed: apt install graphviz")
    text = to_svg(CONFIG, active=["idle"])
    svg = ET.fromstring(text)
    assert text.startswith("<svg ")
    assert svg.get("class") == "fsmvoice"
    lit = [it.get("id") for it in svg.iter() if "active" in (it.get("class") or "").split()]
    assert lit == ["state-idle"]
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text.replace("http://www.w3.org/", ""), "a picture needs no network"


def test_without_graphviz_it_says_how_to_get_it_and_what_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(DrawingFailed, match=r"(?s)apt install graphviz.*brew install graphviz.*Mermaid"):
        to_svg(CONFIG)


def test_what_graphviz_complains_of_is_said(program: Path) -> None:
    program.write_text("#!/bin/sh\ncat > /dev/null; echo 'out of ink' >&2; exit 3\n")
    with pytest.raises(DrawingFailed, match="Graphviz failed: out of ink"):
        to_svg(CONFIG)


def test_a_program_that_is_not_graphviz_is_reported(program: Path) -> None:
    program.write_text("#!/bin/sh\ncat > /dev/null; echo hello\n")
    with pytest.raises(DrawingFailed, match="wrote no SVG"):
        to_svg(CONFIG)


def test_graphviz_has_not_forever(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    program.write_text("#!/bin/sh\nexec sleep 30\n")
    with pytest.raises(DrawingFailed, match=r"did not finish within 0\.05 seconds"):
        to_svg(CONFIG)
