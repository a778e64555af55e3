"""Tool names follow the seed's rule, pass every host, stay unique, and never depend on declaration order."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.model.naming import label_of, tool_name, tool_names


@pytest.mark.parametrize(
    ("machine", "event", "name"),
    [
        ("coffee", "ORDER", "coffee_order"),
        (None, "ADD_ITEM", "add_item"),
        ("m", "addTopping", "m_add_topping"),
        ("m", "PAY2GO", "m_pay2_go"),
        ("m", "HTTPRequest", "m_httprequest"),
        ("m", "user.login", "m_user_login"),
        ("m", "héllo", "m_h_llo"),
        ("my machine", "GO", "my_machine_go"),
        (None, "1st", "event_1st"),
    ],
)
def test_an_event_makes_its_tool_name(machine: str | None, event: str, name: str) -> None:
    assert tool_name(machine, event) == name


@given(st.one_of(st.none(), st.text()), st.text(min_size=1))
def test_every_name_is_one_that_hosts_accept(machine: str | None, event: str) -> None:
    assert re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_-]{0,63}", tool_name(machine, event))


def test_names_that_say_nothing_or_are_cut_stay_apart() -> None:
    events = ["阿里", "巴巴", "x" * 70 + "a", "x" * 70 + "b"]
    names, problems = tool_names("m", events)
    assert len(set(names.values())) == 4
    assert not problems
    assert tool_names("m", reversed(events))[0] == names


@pytest.mark.parametrize("events", [["ADD_ITEM", "addItem"], ["status"], ["START_OVER"], ["start session"]])
def test_two_events_of_one_name_are_a_problem_with_a_way_out(events: list[str]) -> None:
    _, problems = tool_names("shop", events)
    assert len(problems) == 1
    assert "rename one" in str(problems[0])


@pytest.mark.parametrize(
    ("event", "label"),
    [
        ("ADD_ITEM", "add item"),
        ("addItem", "add item"),
        ("user.login", "user login"),
        ("HTTPRequest", "http request"),
        ("PAY2GO", "pay2go"),
        ("…", "go on"),
    ],
)
def test_a_label_is_the_event_in_words(event: str, label: str) -> None:
    assert label_of(event) == label
