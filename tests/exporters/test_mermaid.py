"""The picture of a machine as Mermaid text."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import UnknownName
from fsmvoice.exporters.mermaid import to_mermaid
from fsmvoice.model.parse import parse_config

AWKWARD = 'DELETE /users/:id; "x" <b> #1 %% a--b\nnext'

KIOSK: dict[str, Any] = {
    "id": "kiosk",
    "initial": "off",
    "entry": "boot",
    "on": {"RESET": ".off"},
    "states": {
        "off": {"on": {"POWER": "on", AWKWARD: "off"}},
        "on": {
            "type": "parallel",
            "on": {"POWER": "off", "LIGHT": ".light", "AGAIN": {"target": "on", "reenter": True}},
            "after": {"300000": "off"},
            "states": {
                "brew": {
                    "initial": "grinding",
                    "onDone": "#kiosk.off",
                    "states": {
                        "grinding": {"always": {"target": "heating", "guard": "enough"}},
                        "heating": {
                            "invoke": {"src": "heat", "onDone": "ready", "onError": "broken"},
                            "on": {"POWER": {}},
                        },
                        "ready": {"entry": "chime"},
                        "broken": {"type": "final"},
                        "last": {"type": "history", "history": "deep", "target": "ready"},
                    },
                },
                "light": {
                    "initial": "dim",
                    "on": {"BLINK": {"target": "light", "reenter": True}},
                    "states": {
                        "dim": {"on": {"MORE": "bright"}},
                        "bright": {"on": {"BACK": "#kiosk.on.brew.last"}},
                    },
                },
            },
        },
    },
}


def drawn(*, active: tuple[str, ...] = (), **config: Any) -> list[str]:
    return [line.strip() for line in to_mermaid(parse_config(config), active=active).splitlines()]


def test_a_flat_machine_reads_like_one_written_by_hand() -> None:
    config = parse_config(
        {
            "id": "coffee",
            "initial": "idle",
            "states": {
                "idle": {"on": {"ORDER": {"target": "busy", "guard": "in_stock", "actions": ["take", "log"]}}},
                "busy": {"on": {"READY": "done"}},
                "done": {"final": True},
            },
        }
    )
    assert (
        to_mermaid(config)
        == """\
stateDiagram-v2
    [*] --> idle
    idle
    busy
    done
    done --> [*]
    idle --> busy : ORDER [in_stock] / take, log
    busy --> done : READY
"""
    )


def test_all_of_a_statechart_is_drawn() -> None:
    lines = drawn(**KIOSK)
    for line in (
        "state kiosk {",
        "--",
        "grinding --> heating : always [enough]",
        "heating --> ready : heat done",
        "heating --> broken : heat failed",
        'state "last (H*)" as last',
        "last --> ready",
        "broken --> [*]",
        "brew --> off : done",
        "on --> off : after 5 min",
        "heating : POWER is forbidden",
        "ready : entry / chime",
        "kiosk --> off : RESET",
    ):
        assert line in lines


def test_a_compound_state_in_a_region_is_entered_where_it_starts() -> None:
    lines = drawn(**KIOSK)
    assert "on --> dim : LIGHT" in lines
    assert "light --> dim : BLINK" in lines


def test_a_parallel_state_that_enters_itself_says_so_in_a_note() -> None:
    assert "AGAIN, to on" in drawn(**KIOSK)


def test_no_character_of_a_name_can_break_the_picture() -> None:
    lines = drawn(
        initial=AWKWARD, states={AWKWARD: {"on": {AWKWARD: {"target": AWKWARD, "guard": AWKWARD, "actions": AWKWARD}}}}
    )
    code = "DELETE /users/#58;id#59; #34;x#34; #60;b#62; #35;1 #37;#37; a#45;#45;b#8629;next"
    assert f'state "{code}" as DELETE_users_id_x_b_1_a_b_next' in lines
    assert lines[-1].endswith(f": {code} [{code}] / {code}")


@pytest.mark.parametrize("name", ["root", "State", "note", "end", "constructor", "__proto__", "完了", "1", " ", ".x"])
def test_ids_are_words_that_the_grammar_takes(name: str) -> None:
    lines = drawn(initial="a", states={"a": {}, name: {}})
    declared = next(line for line in lines if line.startswith("state "))
    given = declared.rpartition(" as ")[2]
    assert given.isascii()
    assert given.isidentifier()
    assert given.lower() != name.lower()


def test_two_states_of_one_name_have_two_ids() -> None:
    inner: dict[str, Any] = {"initial": "on", "states": {"on": {}}}
    lines = drawn(initial="a", states={"a": inner, "b": inner})
    assert [line for line in lines if line.startswith('state "on"')] == [
        'state "on" as a_on',
        'state "on" as b_on',
    ]


def test_an_id_does_not_meet_the_diagrams_own_start_point() -> None:
    lines = drawn(initial="on", states={"on": {"initial": "x", "states": {"x": {}}}, "on_start": {}})
    assert 'state "on_start" as on_start_2' in lines


def test_active_states_are_lit_the_innermost_of_them() -> None:
    lines = drawn(active=("on", "on.light", "on.light.dim"), **KIOSK)
    assert lines[-1] == "class dim active"


def test_an_unknown_active_state_is_an_error_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no state 'idel' to light up; did you mean 'idle'"):
        drawn(active=("idel",), initial="idle", states={"idle": {}})
