"""The picture of a machine as Graphviz DOT."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fsmvoice.errors import UnknownName
from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.dot_ids import dot_ids
from fsmvoice.model.parse import parse_config
from tests.exporters.pictures import element, graphviz_draws, lines_of
from tests.exporters.test_mermaid import KIOSK


def dot(*, active: tuple[str, ...] = (), **config: Any) -> str:
    return to_dot(parse_config(config), active=active)


def line(text: str, start: str) -> str:
    found = [it.strip() for it in text.splitlines() if it.strip().startswith(start)]
    assert len(found) == 1, found
    return found[0]


def test_a_state_that_holds_states_is_a_cluster_and_its_regions_are_dashed() -> None:
    text = dot(**KIOSK)
    assert 'subgraph "cluster_state-on" {' in text
    assert 'class="state parallel"' in text
    assert 'class="state compound region"' in text
    assert text.count('graph [style="rounded,dashed"') == 2


def test_all_that_a_state_does_is_seen() -> None:
    (svg,) = graphviz_draws([dot(**KIOSK)])
    assert lines_of(element(svg, "state-on-brew-heating")) == ["heating", "do / heat", "POWER is forbidden"]
    assert lines_of(element(svg, "state-on-brew-ready")) == ["ready", "entry / chime"]
    assert lines_of(element(svg, "state-on-brew-last")) == ["H*", " ", "last"]
    assert lines_of(element(svg, "machine")) == ["kiosk", "entry / boot"]


def test_every_arc_is_an_arrow_with_its_label() -> None:
    ids = dot_ids(parse_config(KIOSK))
    (svg,) = graphviz_draws([dot(**KIOSK)])
    labels = {
        (arc["source"], arc["target"], *(text.strip() for text in lines_of(element(svg, arc["element"]))))
        for arc in ids["arcs"]
        if arc["element"].startswith("arc-")
    }
    assert {
        ("on.brew.grinding", "on.brew.heating", "always", "[enough]"),
        ("on.brew.heating", "on.brew.ready", "heat done"),
        ("on.brew.heating", "on.brew.broken", "heat failed"),
        ("on.brew", "off", "done"),
        ("on", "off", "after 5 min"),
        ("on.light.bright", "on.brew.last", "BACK"),
        ("on.brew.last", "on.brew.ready"),
        ("", "off", "RESET"),
        ("on", "on", "AGAIN"),
        ("on.light", "on.light", "BLINK"),
    } <= labels


def test_an_arrow_to_or_from_a_whole_state_ends_at_its_frame() -> None:
    arrow = line(dot(**KIOSK), '"state-off" -> "state-on-brew start" [id="arc-1"')
    assert 'lhead="cluster_state-on"' in arrow
    back = line(dot(**KIOSK), '"state-off" -> "state-on-brew start" [id="arc-3"')
    assert back.endswith('lhead="cluster_state-on", dir=back]')


def test_an_arrow_from_a_whole_state_to_inside_of_it_begins_at_a_dot() -> None:
    text = dot(**KIOSK)
    assert line(text, '"machine whole" -> "state-off"')
    assert line(text, '"state-on whole" -> "state-on whole"')


def test_an_event_that_its_method_is_called_after_is_not_said_twice() -> None:
    text = dot(initial="a", states={"a": {"on": {"CHECK_IN": {"target": "a", "actions": ["check_in", "ring"]}}}})
    assert "CHECK_IN" in text
    assert "/ ring" in text
    assert "check_in" not in text


def test_a_list_of_actions_is_cut_after_its_commas() -> None:
    actions = ["notify the kitchen", "print a receipt", "log it"]
    text = dot(initial="a", states={"a": {"entry": actions}})
    (svg,) = graphviz_draws([text])
    assert lines_of(element(svg, "state-a")) == ["a", "entry / notify the kitchen,", "print a receipt, log it"]


def test_active_states_are_lit_the_innermost_of_them() -> None:
    text = dot(active=("on", "on.light", "#kiosk.on.light.dim", "heating"), **KIOSK)
    assert 'class="state atomic active", fillcolor="#ffe9a8"' in line(text, '"state-on-light-dim" [')
    assert 'class="state atomic active", fillcolor="#ffe9a8"' in line(text, '"state-on-brew-heating" [')
    assert text.count("active") == 2


def test_an_unknown_active_state_is_an_error_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no state 'idel' to light up; did you mean 'idle'"):
        dot(active=("idel",), initial="idle", states={"idle": {}})


def test_a_page_finds_every_state_and_arc_by_its_id() -> None:
    ids = json.loads(json.dumps(dot_ids(parse_config(KIOSK))))
    assert ids["states"]["on.light.dim"] == "state-on-light-dim"
    assert ids["states"][""] == "machine"
    more = {"source": "on.light.dim", "event": "MORE", "target": "on.light.bright"}
    assert [arc for arc in ids["arcs"] if arc == {"element": arc["element"], **more}]
    forbidden = {"element": "state-on-brew-heating", "event": "POWER"}
    assert {**forbidden, "source": "on.brew.heating", "target": "on.brew.heating"} in ids["arcs"]


def test_ids_are_unique_whatever_the_names_are() -> None:
    names = ("a b", "a-b", "a_b", "進行中", "完了", "A b", "3", "4", "5")
    ids = dot_ids(parse_config({"initial": "a b", "states": {name: {} for name in names}}))["states"]
    assert len(set(ids.values())) == len(ids) == len(names) + 1
    assert all(name.isascii() and " " not in name for name in ids.values())


def test_states_whose_paths_are_alike_have_names_of_their_own() -> None:
    config: dict[str, Any] = {
        "initial": "a",
        "states": {"a": {"initial": "b", "states": {"b": {}}}, "a.b": {"id": "other"}},
    }
    assert dot_ids(parse_config(config))["states"].keys() == {"", "a", "a.b", "#other"}
