"""The pictures in the docs are of the examples as they are."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from docs.images.draw import EXAMPLES, IMAGES, ROOT, config_of
from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.dot_ids import dot_ids
from fsmvoice.exporters.mermaid import to_mermaid


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_is_of_the_example_as_it_is(name: str) -> None:
    # The SVG itself differs between versions of Graphviz; the texts it is drawn from do not.
    config = config_of(name)
    for text, ending in ((to_dot(config), "dot"), (to_mermaid(config), "mmd")):
        kept = (IMAGES / f"{name}.{ending}").read_text(encoding="utf-8")
        assert text == kept, "the example has changed: python docs/images/draw.py"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_has_every_state_of_its_example(name: str) -> None:
    svg = ET.fromstring((IMAGES / f"{name}.svg").read_text(encoding="utf-8"))
    ids = dot_ids(config_of(name))
    wanted = {*ids["states"].values(), *(arc["element"] for arc in ids["arcs"])} - {"machine"}
    assert wanted <= {it.get("id") for it in svg.iter()}, "the picture is older: python docs/images/draw.py"


def test_every_example_with_a_machine_of_its_own_has_a_picture() -> None:
    drawn = set(EXAMPLES.values())
    for path in sorted((ROOT / "examples").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        declares = any(sign in text for sign in ("(VoiceMachine", "fsm_from_status_graph(", '"states"'))
        assert not declares or f"examples/{path.name}" in drawn, f"{path.name} has no picture: add it in docs/images"
