"""Every machine's picture is taken by what draws it, and shows the names as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

import pytest

from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.dot_ids import dot_ids
from fsmvoice.exporters.drawn import visible
from fsmvoice.exporters.mermaid import to_mermaid
from fsmvoice.model.tree import Tree
from tests.exporters.pictures import (
    NAMES,
    charts,
    element,
    graphviz_draws,
    hostile,
    lines_of,
    mermaid_reads,
    viz_draws,
)

WORST = '<b>;:"#%%\\N]] &amp; {進行中} 🍕\n\t--> `$`'
Draws = Callable[[Sequence[str]], list[ET.Element]]


def names_are_shown(names: Sequence[str], draws: Draws) -> None:
    machines = [hostile(name) for name in names]
    for name, config, svg in zip(names, machines, draws([to_dot(it) for it in machines]), strict=True):
        ids, shown = dot_ids(config), visible(name)
        node = Tree(config).root.children[name]
        said = "".join(lines_of(element(svg, ids["states"][node.path])))
        assert said.startswith(f"{shown}entry")
        assert said.replace(" ", "") == f"{shown}entry/{shown}exit/{shown}do/{shown}".replace(" ", "")
        arc = next(it for it in ids["arcs"] if it["event"] == name and it["source"] == node.path)
        label = "".join(lines_of(element(svg, arc["element"])))
        assert label.replace(" ", "") == f"{shown}[{shown}]/act,{shown}+".replace(" ", "")


def test_a_name_is_shown_as_it_is_by_graphviz() -> None:
    names_are_shown([WORST], graphviz_draws)


@pytest.mark.slow
@pytest.mark.parametrize("draws", [graphviz_draws, viz_draws])
def test_names_of_any_kind_are_shown_as_they_are_by_graphviz(draws: Draws) -> None:
    names_are_shown(NAMES, draws)


@pytest.mark.slow
def test_names_of_any_kind_are_shown_as_they_are_by_mermaid() -> None:
    read = mermaid_reads([to_mermaid(hostile(name)) for name in NAMES])
    for name, found in zip(NAMES, read, strict=True):
        shown = visible(name)
        assert "error" not in found, (name, found)
        texts = [text for texts in found["states"].values() for text in texts]
        assert shown in texts or name in found["states"], (name, found)
        assert f"entry / {shown}" in texts
        assert f"{shown} [{shown}] / act, {shown}+" in [label for _, _, label in found["arrows"]]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_mermaid_takes_every_machine_and_finds_every_arrow() -> None:
    drawn = {name: to_mermaid(config, active=[list(config.states)[-1]]) for name, config in charts()}
    assert len(drawn) >= 300
    for (name, text), found in zip(drawn.items(), mermaid_reads(list(drawn.values())), strict=True):
        assert "error" not in found, (name, found["error"], text)
        assert len(found["arrows"]) == sum(" --> " in line for line in text.splitlines()), name


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("draws", [graphviz_draws, viz_draws])
def test_every_machine_is_drawn_with_all_its_states_and_arcs(draws: Draws) -> None:
    machines = list(charts())
    assert len(machines) >= 300
    drawn = draws([to_dot(config, active=[list(config.states)[-1]]) for _, config in machines])
    for (name, config), svg in zip(machines, drawn, strict=True):
        ids = dot_ids(config)
        there = [it.get("id") for it in svg.iter() if it.get("id")]
        wanted = {*ids["states"].values(), *(arc["element"] for arc in ids["arcs"])} - {"machine"}
        assert wanted <= set(there), name
        assert len(there) == len(set(there)), name
