"""The keywords of the class statement are checked where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice import DefinitionWarning, State, VoiceMachine, create_fsm_actor, create_fsm_mcp_bridge
from tests.machine.defining import problems_in, source_line


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"id": 3}, "the keyword id is 3; it should be a string; write id='3'"),
        ({"version": 1.5}, "the keyword version is 1.5; it should be a string; write version='1.5'"),
        ({"locale": ["en"]}, "the keyword locale is ['en']; it should be a string"),
        ({"restart_when_done": "yes"}, "the keyword restart_when_done is 'yes'; it should be True or False"),
    ],
)
def test_a_keyword_of_the_wrong_type_is_reported_with_its_line(keywords: dict[str, Any], told: str) -> None:
    def define() -> object:
        class Shop(VoiceMachine, **keywords):
            idle = State(initial=True)

        return Shop

    (problem,) = problems_in(define)
    assert f"{problem.message}; {problem.hint}".removesuffix("; ") == told
    assert source_line(problem) == "class Shop(VoiceMachine, **keywords):"


TOLD = "the framework has no phrases for the locale 'tlh' and speaks English; available are 'en'"


def test_a_language_that_is_not_there_is_reported_where_a_machine_names_it() -> None:
    with pytest.warns(DefinitionWarning, match=f"Shop: {TOLD}"):

        class Shop(VoiceMachine, locale="tlh"):
            idle = State(initial=True, prompt="nuqneH.")

    assert Shop().say() == "nuqneH. You can start over."


def test_a_language_that_is_not_there_is_reported_where_a_config_or_a_bridge_names_it() -> None:
    config: dict[str, Any] = {"initial": "a", "states": {"a": {}}}
    with pytest.warns(DefinitionWarning, match=TOLD):
        create_fsm_actor({**config, "meta": {"locale": "tlh"}})
    with pytest.warns(DefinitionWarning, match=TOLD):
        create_fsm_mcp_bridge(config, locale="tlh")

    class Shop(VoiceMachine):
        idle = State(initial=True)

    with pytest.warns(DefinitionWarning, match=TOLD):
        create_fsm_mcp_bridge(Shop, locale="tlh")
