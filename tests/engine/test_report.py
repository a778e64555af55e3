"""What one event did, told in facts."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

from typing import Any

from fsmvoice.errors import Refuse
from fsmvoice.model.payload import Parameter
from tests.engine.making import actor_of

CONFIG: dict[str, Any] = {
    "initial": "a",
    "context": {"n": 0},
    "states": {
        "a": {
            "on": {
                "GO": [{"target": "b", "guard": "never"}, {"target": "b", "actions": "act"}],
                "NO": {"target": "b", "guard": "never"},
            }
        },
        "b": {"initial": "x", "states": {"x": {"always": "y"}, "y": {}}},
    },
}


def going(act: Any = None) -> Any:
    return actor_of(CONFIG, actions={"act": act or (lambda: {"n": 1})}, guards={"never": lambda: False})


def test_a_report_names_what_was_taken_rejected_and_entered() -> None:
    report = going().send_sync("GO", by=3).report
    assert (report.event, report.payload) == ("GO", {"by": 3})
    assert [arc.target for arc in report.taken] == [("b",), ("y",)]
    assert [arc.guard.type for arc in report.rejected if arc.guard] == ["never"]
    assert [node.path for node in report.entered] == ["b", "b.y"]
    assert (report.before.value, report.before.context) == ("a", {"n": 0})


def test_an_explanation_lists_each_arc_with_its_answer() -> None:
    assert going().send_sync("GO").explain().splitlines() == [
        "GO in 'a':",
        "  a --GO--> b ($.states.a.on.GO[0]): guard 'never' said no",
        "  a --GO--> b ($.states.a.on.GO[1]): taken",
        "  then b.x --always--> b.y ($.states.b.states.x.always)",
    ]
    assert "said no" in going().send_sync("NO").explain()
    assert "no active state has a transition for it" in going().send_sync("FLY").explain()


def test_an_explanation_tells_a_refusal() -> None:
    def act() -> None:
        raise Refuse("Sold out.")

    assert going(act).send_sync("GO").explain().endswith("refused, and undone: Sold out.")


def test_an_explanation_tells_bad_arguments_and_a_done_machine() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": "z"}}, "z": {"final": True}}},
        payloads={"GO": [Parameter("n", int)]},
    )
    assert "the arguments don't fit: 'n' is missing" in actor.send_sync("GO").explain()
    actor.send_sync("GO", n=1)
    assert "the machine is done" in actor.send_sync("GO", n=1).explain()
