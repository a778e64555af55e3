"""`@transition`: which event, from where, to where, and what stands on the class."""

from __future__ import annotations

import inspect

import pytest

from fsmvoice import ANY, State, VoiceMachine, forbid, spoken, transition
from fsmvoice.machine.transitions import Transition
from tests.machine.defining import the_problem


class Door(VoiceMachine):
    closed = State(initial=True)
    open_ = State(name="open")
    locked = State()

    @transition(source=closed, target=open_)
    async def push(self) -> None:
        """Push it."""
        self.context["pushed"] = True

    def alone(self) -> bool:
        return bool(self.context.get("alone"))

    @transition("TURN", source=closed, target=locked, guard=alone)
    @transition("TURN", source=closed, target=open_)
    @transition("TURN", source=[locked, "open"], target="closed")
    def turn(self) -> None: ...

    @transition("KNOCK", source=ANY)
    def knock(self) -> None:
        self.context["knocks"] = self.context.get("knocks", 0) + 1

    quiet = forbid("KNOCK", source=open_, reason="Just come in.")


def test_an_event_without_a_name_is_called_as_its_method() -> None:
    assert Door.push.event == "PUSH"


def test_stacked_transitions_are_tried_from_the_top() -> None:
    assert Door().turn.sync().state == "open"
    assert Door({"alone": True}).turn.sync().state == "locked"


def test_several_sources_lead_to_one_target() -> None:
    assert Door.at("locked").turn.sync().state == Door.at(Door.open_).turn.sync().state == "closed"


def test_any_is_every_state_unless_a_forbid_closes_it() -> None:
    assert Door().knock.sync().context == {"knocks": 1}
    assert Door.at("locked").knock.can()
    refused = Door.at("open").send_sync("KNOCK")
    assert refused.reason == "guard-rejected"
    assert refused.say.startswith("Just come in.")


def test_without_a_target_the_state_stays_and_is_not_entered_again() -> None:
    outcome = Door().knock.sync()
    assert (outcome.state, outcome.report.entered) == ("closed", ())


def test_reenter_leaves_and_enters_the_source() -> None:
    class Again(VoiceMachine):
        idle = State(initial=True)

        @transition(source=idle, target=idle, reenter=True)
        def again(self) -> None: ...

    assert [node.path for node in Again().again.sync().report.entered] == ["idle"]


async def test_body_is_the_function_alone() -> None:
    door = Door()
    door.context["before"] = True
    await Door.push.body(door)
    assert (door.state, door.context) == ("closed", {"before": True, "pushed": True})


def test_a_transition_looks_like_its_function() -> None:
    assert isinstance(Door.push, Transition)
    assert inspect.iscoroutinefunction(Door.push)
    assert not inspect.iscoroutinefunction(Door.turn)
    assert (Door.push.__name__, Door.push.__doc__) == ("push", "Push it.")
    assert repr(Door.push).startswith("<transition PUSH at tests/machine/test_transitions.py:")


def test_called_on_the_class_it_explains() -> None:
    with pytest.raises(
        TypeError, match=r"Door\.push is the event PUSH: send it on a machine with `await machine\.push"
    ):
        Door.push(Door())  # type: ignore[operator] # pyright: ignore[reportCallIssue] - the mistake under test


def test_any_shows_its_name() -> None:
    assert repr(ANY) == "ANY"


def test_a_transition_from_nowhere_is_reported() -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            idle = State(initial=True)

            @transition("PAY", source=[], target=idle)
            def pay(self) -> None: ...

        return Shop

    assert the_problem(define) == (
        "source: PAY has no source; name the states in which it is possible; ANY means every state"
    )


@pytest.mark.parametrize(("utterance", "lone"), [("(a|b", "("), ("[please order", "["), ("{drink", "{"), ("a]", "]")])
def test_an_utterance_with_half_a_pair_of_brackets_is_reported(utterance: str, lone: str) -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            idle = State(initial=True)

            @spoken("pay", utterances=[utterance])
            @transition(source=idle)
            def pay(self) -> None: ...

        return Shop

    assert the_problem(define).startswith(f"the utterance {utterance!r}: {lone!r} is unmatched; write")
