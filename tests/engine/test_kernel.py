"""What a machine does with an event, and in which order."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import ArmTimer, CancelTimer, effects_between, start, step
from fsmvoice.errors import ActionFailed
from fsmvoice.model.behaviour import InState
from fsmvoice.model.run_state import Timer
from tests.engine.making import Log, actor_of, chart_of


def test_exits_then_the_arcs_actions_then_entries() -> None:
    log = Log()
    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {
                    "initial": "a1",
                    "exit": "leave a",
                    "on": {"GO": {"target": "b", "actions": "go"}},
                    "states": {"a1": {"exit": "leave a1"}},
                },
                "b": {
                    "initial": {"target": "b1", "actions": "start b"},
                    "entry": "enter b",
                    "states": {"b1": {"entry": "enter b1"}},
                },
            },
        },
        actions=log.actions("leave a", "leave a1", "go", "enter b", "start b", "enter b1"),
    )
    actor.send_sync("GO")
    assert log == ["leave a1", "leave a", "go", "enter b", "start b", "enter b1"]


def test_a_self_target_restarts_the_children_and_only_reenter_the_state_itself() -> None:
    log = Log()
    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {
                    "initial": "x",
                    "entry": "enter a",
                    "on": {"AGAIN": "a", "ANEW": {"target": "a", "reenter": True}},
                    "states": {"x": {"entry": "enter x", "on": {"NEXT": "y"}}, "y": {}},
                }
            },
        },
        actions=log.actions("enter a", "enter x"),
    )
    actor.send_sync("NEXT")
    log.clear()
    actor.send_sync("AGAIN")
    assert log == ["enter x"]
    actor.send_sync("ANEW")
    assert log == ["enter x", "enter a", "enter x"]


def test_the_first_arc_whose_guard_holds_wins_then_the_parents() -> None:
    actor = actor_of(
        {
            "initial": "a",
            "context": {"n": 0},
            "on": {"GO": ".outer"},
            "states": {
                "a": {"on": {"GO": [{"target": "one", "guard": "one"}, {"target": "two", "guard": "two"}]}},
                "one": {},
                "two": {},
                "outer": {},
            },
        },
        guards={"one": lambda context: context["n"] == 1, "two": lambda context: context["n"] == 2},
    )
    assert actor.send_sync("GO").state == "outer"


@pytest.mark.parametrize(
    ("event", "taken"), [("a.b.c", "deep"), ("a.b", "exact"), ("a.x", "prefix"), ("a", "prefix"), ("z", "any")]
)
def test_an_exact_name_then_the_longest_wildcard(event: str, taken: str) -> None:
    actor = actor_of(
        {
            "initial": "s",
            "states": {
                "s": {"on": {"*": "any", "a.*": "prefix", "a.b.*": "deep", "a.b": "exact"}},
                "any": {},
                "prefix": {},
                "deep": {},
                "exact": {},
            },
        }
    )
    assert actor.send_sync(event).state == taken


def test_a_region_that_takes_the_event_keeps_it_from_the_parents() -> None:
    actor = actor_of(
        {
            "type": "parallel",
            "on": {"GO": ".r1.b"},
            "states": {
                "r1": {"initial": "a", "states": {"a": {}, "b": {}}},
                "r2": {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}},
            },
        }
    )
    assert actor.send_sync("GO").state == {"r1": "a", "r2": "b"}
    assert actor.send_sync("GO").state == {"r1": "b", "r2": "a"}


def test_of_two_regions_that_would_leave_the_same_states_the_first_goes() -> None:
    actor = actor_of(
        {
            "initial": "p",
            "states": {
                "p": {
                    "type": "parallel",
                    "states": {
                        "r1": {"initial": "a", "states": {"a": {"on": {"GO": "#x"}}}},
                        "r2": {"initial": "a", "states": {"a": {"on": {"GO": "#y"}}}},
                    },
                },
                "x": {"id": "x"},
                "y": {"id": "y"},
            },
        }
    )
    assert actor.send_sync("GO").state == "x"


def test_done_events_bring_the_final_states_output() -> None:
    actor = actor_of(
        {
            "initial": "work",
            "context": {"got": None},
            "states": {
                "work": {
                    "initial": "a",
                    "onDone": {"target": "after", "actions": "keep"},
                    "states": {"a": {"on": {"END": "end"}}, "end": {"type": "final", "output": {"v": 7}}},
                },
                "after": {},
            },
        },
        actions={"keep": lambda event: {"got": event["output"]}},
    )
    outcome = actor.send_sync("END")
    assert (outcome.state, outcome.context) == ("after", {"got": {"v": 7}})


def test_a_parallel_state_is_done_when_all_its_regions_are_history_not_counted() -> None:
    region: dict[str, Any] = {"initial": "a", "states": {"a": {}, "end": {"final": True}}}
    actor = actor_of(
        {
            "initial": "p",
            "states": {
                "p": {
                    "type": "parallel",
                    "onDone": "over",
                    "states": {
                        "r1": {**region, "on": {"ONE": ".end"}},
                        "r2": {**region, "on": {"TWO": ".end"}},
                        "last": {"type": "history"},
                    },
                },
                "over": {},
            },
        }
    )
    assert actor.send_sync("ONE").state == {"p": {"r1": "end", "r2": "a"}}
    assert actor.send_sync("TWO").state == "over"


def test_at_the_end_all_exits_run_and_no_event_is_taken_any_more() -> None:
    log = Log()
    actor = actor_of(
        {
            "initial": "a",
            "exit": "leave machine",
            "output": {"paid": True},
            "on": {"GO": ".end", "*": {"actions": "any"}},
            "states": {"a": {}, "end": {"final": True, "entry": "enter end", "exit": "leave end"}},
        },
        actions=log.actions("leave machine", "enter end", "leave end", "any"),
    )
    outcome = actor.send_sync("GO")
    assert log == ["enter end", "leave end", "leave machine"]
    assert (outcome.snapshot.done, outcome.snapshot.output, outcome.state) == (True, {"paid": True}, "end")
    again = actor.send_sync("GO")
    assert (again.reason, again.changed, actor.can("GO"), again.available) == ("no-transition", False, False, ())


def test_a_guard_can_ask_where_another_region_stands() -> None:
    actor = actor_of(
        {
            "type": "parallel",
            "states": {
                "door": {"initial": "open", "states": {"open": {"on": {"SHUT": "shut"}}, "shut": {}}},
                "oven": {
                    "initial": "cold",
                    "states": {"cold": {"on": {"HEAT": {"target": "hot", "guard": "is shut"}}}, "hot": {}},
                },
            },
        },
        guards={"is shut": InState("door.shut")},
    )
    assert actor.send_sync("HEAT").reason == "guard-rejected"
    actor.send_sync("SHUT")
    assert actor.send_sync("HEAT").ok


def test_an_action_that_raises_is_named_with_its_event_and_state() -> None:
    def boom() -> None:
        raise ValueError("no beans")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "boom"}}}, "b": {}}},
        actions={"boom": boom},
    )
    with pytest.raises(ActionFailed, match="'boom' raised ValueError at event 'GO' in state 'a': no beans") as caught:
        actor.send_sync("GO")
    assert (caught.value.name, caught.value.event, caught.value.state) == ("boom", "GO", "a")
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_deciding_guard_that_raises_is_an_error_and_never_a_no() -> None:
    def boom() -> bool:
        raise KeyError("balance")

    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {"on": {"PAY": [{"target": "paid", "guard": "boom"}, "refused"]}},
                "paid": {},
                "refused": {},
            },
        },
        guards={"boom": boom},
    )
    with pytest.raises(ActionFailed, match=r"the guard 'boom' raised KeyError .* the event 'PAY' in state 'a'"):
        actor.send_sync("PAY")
    assert actor.snapshot.value == "a"


def test_the_pure_step_gives_the_next_state_and_the_effects() -> None:
    chart = chart_of({"id": "m", "initial": "a", "states": {"a": {"after": {"100": "b"}, "on": {"GO": "b"}}, "b": {}}})
    first = drive_sync(start(chart, now=5))
    timer = Timer("xstate.after.100.m.a", "xstate.after.100.m.a", 105, 100)
    assert first.timers == (timer,)
    assert effects_between(first._replace(timers=()), first) == (ArmTimer(timer),)
    after, effects = drive_sync(step(chart, first, "GO", now=6))
    assert effects == (CancelTimer(timer),)
    assert after.timers == ()
    again, effects = drive_sync(step(chart, first, {"type": timer.event}, now=105))
    assert (chart.nodes[again.leaves[0]].path, first.timers) == ("b", (timer,))
    assert effects == (CancelTimer(timer),)


def test_on_done_stands_in_place_of_what_on_says_of_the_same_event() -> None:
    work = {
        "initial": "f",
        "states": {"f": {"type": "final"}},
        "on": {"xstate.done.state.work": "plain"},
        "onDone": "done",
        "id": "work",
    }
    actor = actor_of({"id": "m", "initial": "work", "states": {"work": work, "plain": {}, "done": {}}})
    assert actor.snapshot.value == "done"


def test_a_finished_machine_that_was_led_into_two_states_shows_the_last_as_xstate_does() -> None:
    states = {"a": {"on": {"END": {"target": ["#m.b", "#m.f"]}}}, "b": {}, "f": {"type": "final"}}
    actor = actor_of({"id": "m", "initial": "a", "states": states})
    actor.send_sync("END")
    assert (actor.snapshot.value, actor.snapshot.done) == ("f", True)
