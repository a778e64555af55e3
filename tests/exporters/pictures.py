"""Pictures read back by the programs that draw them, and machines to draw."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from docs.images.draw import EXAMPLES, config_of
from fsmvoice import screen
from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from tests.engine.machines import configs
from tests.oracle.corpus import corpus
from tests.tools import TOOLS, node_tool

SVG = "{http://www.w3.org/2000/svg}"

NAMES = (
    *(":", ";", "#", "%%", '"', "'", "<b>", "</b>", "&", "&amp;", "\\", "a\\", "\\N", "`", "$", "{", "}", "[", "]"),
    *("::", "::: x", "--", "-->", "a --> b", "<<fork>>", "---", "%%{init: {}}%%", "%% comment", "a:b", "x;y", "a.b"),
    *("\n", "a\nb", "a\r\nb", "\t", "\x00", "\x1b[0m", "\x7f", "\x85", "\u2028", "\uffff", " ", "  a", "a  b"),
    *("進行中", "🍕", "مرحبا بك", "שלום", "\u202eabc", "é", "e\u0301", "ＡＢ", "X" * 200, "word " * 20 + "end"),
    *(
        "end",
        "End",
        "state",
        "[*]",
        "__proto__",
        "note",
        "constructor",
        "root",
        "as",
        "fork",
        "hasOwnProperty",
        "click",
    ),
    *("graph", "node", "edge", "subgraph", "digraph", "strict", "machine", "cluster_x", "1", "_", "#35;", "&#35;"),
)
"""Names that mean something to a grammar, a browser or a terminal, or that have no look."""


def charts() -> Iterator[tuple[str, FsmConfig]]:
    """The examples, 200 random machines, and those of the corpus that can be imported."""
    yield from ((name, config_of(name)) for name in EXAMPLES)
    found: list[Mapping[str, Any]] = []

    @settings(
        max_examples=200,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(configs())
    def collect(config: dict[str, Any]) -> None:
        found.append(config)

    collect()
    yield from ((f"random {number}", parse_config(config)) for number, config in enumerate(found))
    for machine in corpus():
        try:
            yield machine.name, from_xstate(machine.document).config
        except DefinitionError:  # tests/oracle says which, and why
            continue


def hostile(name: str) -> FsmConfig:
    """A machine with `name` wherever a name can stand."""
    arc: dict[str, Any] = {"target": "#it", "guard": name, "actions": ["act", f"{name}+"]}
    inner: dict[str, Any] = {
        "initial": "#inner",
        "entry": [name],
        "states": {name: {"id": "inner", "on": {name: {"actions": name}}}, "other": {"type": "history"}},
    }
    states: dict[str, Any] = {
        name: {
            "id": "it",
            "on": {name: arc},
            "entry": name,
            "exit": [name],
            "invoke": {"src": name, "onDone": "#whole"},
        },
        "other machine": {**inner, "id": "whole", "on": {name: "#it"}, "after": {name: ".other"}},
    }
    return parse_config({"id": name, "initial": "start", "states": {"start": {"on": {"GO": "#it"}}, **states}})


def mermaid_reads(texts: Sequence[str]) -> list[dict[str, Any]]:
    """What Mermaid makes of each text, all in one process: `arrows` and `states`, or `error`."""
    node, script = node_tool("node"), TOOLS.parents[1] / "mermaid.mjs"
    if not (TOOLS.parent / "mermaid").exists():
        pytest.skip("mermaid is not installed; run .ci/tools.sh")
    done = subprocess.run(
        [node, script], input=json.dumps(texts), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def graphviz_draws(texts: Sequence[str]) -> list[ET.Element]:
    """The SVG that Graphviz makes of each text; it has nothing to say about any."""
    if shutil.which("dot") is None:
        pytest.skip("dot is not installed: apt install graphviz")
    return [_drawn(text) for text in texts]


def viz_draws(texts: Sequence[str]) -> list[ET.Element]:
    """The SVG that the Viz.js of this package makes of each text; it has nothing to say but of letters' widths."""
    node, script = node_tool("node"), Path(__file__).with_name("viz.mjs")
    viz = Path(screen.__file__).parent / "vendor" / "viz-global.js"
    done = subprocess.run(
        [node, script, viz], input=json.dumps(texts), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    drawn = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
    for text, it in zip(texts, drawn, strict=True):
        assert [told for told in it["errors"] if "no value for width of non-ASCII" not in told] == [], text
    return [ET.fromstring(it["output"]) for it in drawn]


def _drawn(text: str) -> ET.Element:
    done = subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, ""), text
    return ET.fromstring(done.stdout)


def element(svg: ET.Element, name: str) -> ET.Element:
    """The one element with that id."""
    found = [it for it in svg.iter() if it.get("id") == name]
    assert len(found) == 1, f"{name} is there {len(found)} times"
    return found[0]


def lines_of(group: ET.Element) -> list[str]:
    """The lines of text that are seen in a part of a picture."""
    return ["".join(text.itertext()).replace("\xa0", " ") for text in group.iter(f"{SVG}text")]
