"""Guards: named, spoken, pure, and checked against the event they guard; `forbid` closes an event in a state."""

from __future__ import annotations

import logging
from typing import Literal

import pytest

from fsmvoice import ANY, ActionFailed, Compound, State, VoiceMachine, always, forbid, guard, transition
from tests.machine.defining import problems_in, the_problem

Size = Literal["small", "large"]


class Shop(VoiceMachine):
    idle = State(initial=True)
    sold = State()

    @guard("No {size|such} ones are left.")
    def has(self, size: Size) -> bool:
        return bool(size in self.context.get("sizes", ["small", "large"]))

    def is_open(self) -> bool:
        return bool(self.context.get("open", True))

    def breaks(self) -> bool:
        raise RuntimeError("the till is gone")

    @transition(source=idle, target=sold, guard=has)
    def buy(self, size: Size) -> None: ...

    @transition(source=idle, target=sold, guard="is_open")
    def browse(self, what: str = "") -> None: ...

    @transition(source=idle, target=sold, guard=breaks)
    def pay(self) -> None: ...

    @transition(source=ANY, target=idle)
    def back(self) -> None: ...

    closed = forbid("BACK", source=sold, reason="All sales are final.")


def test_a_guard_takes_the_payload_or_nothing() -> None:
    assert Shop().buy.can("small")
    assert not Shop({"sizes": ["large"]}).buy.can("small")
    assert not Shop({"open": False}).browse.can()


def test_a_guard_with_the_payload_narrows_what_is_offered() -> None:
    verdict = Shop({"sizes": ["large"]}).snapshot.verdicts["BUY"]
    assert (verdict.possible, verdict.accepted) == (True, {"size": ("large",)})
    assert Shop({"sizes": []}).blocked[0].say == "No such ones are left."


def test_a_guard_that_raises_blocks_in_a_list_and_fails_where_it_decides(caplog: pytest.LogCaptureFixture) -> None:
    shop = Shop()
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        assert "PAY" not in shop.available
    assert "the till is gone" in caplog.text
    with pytest.raises(ActionFailed, match="breaks"):
        shop.send_sync("PAY")


def test_a_guard_sees_the_snapshot_it_is_asked_for() -> None:
    shop = Shop()
    before = shop.snapshot
    shop.buy.sync("small")
    assert before.verdicts["BUY"].possible


def test_forbid_says_why() -> None:
    shop = Shop.at("sold")
    assert [(blocked.event, blocked.say) for blocked in shop.blocked] == [("BACK", "All sales are final.")]
    assert shop.send_sync("BACK").reason == "guard-rejected"


def test_a_subclass_lifts_a_forbid_by_its_name() -> None:
    class Generous(Shop):
        closed = None

    assert Generous.at("sold").back.sync().state == "idle"


def test_guards_that_are_none_are_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            def in_stock(self) -> bool:
                return True

            @guard("no")  # type: ignore[type-var] # pyright: ignore - the mistake under test
            async def slow(self) -> bool:
                return True

            @guard("no")
            def other(self, x: int) -> bool:
                return True

            @transition(source=idle, guard="in_stok")
            def misspelt(self) -> None: ...

            @transition(source=idle, guard=lambda m: True)  # type: ignore[untyped-decorator] # the mistake under test
            def unnamed(self) -> None: ...

            @transition(source=idle, guard="slow")
            def waits(self) -> None: ...

            @transition(source=idle, guard="other")
            def differs(self, y: Size) -> None: ...

        return Bad

    problems = {problem.message: problem.hint for problem in problems_in(define)}
    differs = "the guard 'other' takes (x: int), but DIFFERS carries (y: Literal['small', 'large'])"
    assert problems == {
        "the guard 'slow' is async": "a guard decides at once; "
        "look things up in the action, which may `raise Refuse(...)`",
        "guard: 'in_stok' is not a method of Bad": "did you mean 'in_stock'?",
        "guard: a lambda has no name": "write a method with @guard(reason): "
        "it has a name that a subclass can override, and can say why not",
        differs: "it takes nothing, or exactly the event's parameters",
    }


def test_a_guard_where_nothing_is_carried_takes_nothing() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            there = State(final=True)

            def enough(self, x: str) -> bool:
                return True

            @always(source=idle, target=there, guard="enough")
            def go(self) -> None: ...

        return Bad

    assert the_problem(define) == (
        "the guard 'enough' takes (x: str), but there is no event, and so no payload; "
        "it takes nothing, or exactly the event's parameters"
    )


def test_a_forbid_behind_a_transition_that_always_goes_is_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            no = forbid("BACK", source=idle, reason="No.")

            @transition(source=idle)
            def back(self) -> None: ...

        return Bad

    assert the_problem(define).startswith("forbid: BACK has a transition without a guard in 'idle'")


def test_a_forbid_of_no_event_is_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            no = forbid("BAKC", source=idle, reason="No.")

            @transition(source=idle)
            def back(self) -> None: ...

        return Bad

    assert the_problem(define) == "forbid: no transition has the event 'BAKC'; did you mean 'BACK'?"


class Oven(VoiceMachine):
    cold = State(initial=True)
    hot = State()

    @transition(source=ANY, target=hot)
    def heat(self) -> None: ...

    forbid("HEAT", source=hot, reason="It is hot already.")


def test_a_forbid_on_a_line_of_its_own_holds_and_is_inherited() -> None:
    class Grill(Oven):
        forbid("HEAT", source=Oven.cold, reason="There is no gas.")

    assert Oven.at("hot").send_sync("HEAT").say.startswith("It is hot already.")
    assert Grill.at("hot").send_sync("HEAT").say.startswith("It is hot already.")
    assert Grill().send_sync("HEAT").say.startswith("There is no gas.")
    assert Oven().send_sync("HEAT").ok


def test_a_forbid_inside_a_state_would_be_lost() -> None:
    def define() -> object:
        class Lost(VoiceMachine):
            class on(Compound, initial=True):
                low = State(initial=True)
                forbid("GO", source=low, reason="No.")

            @transition(source=on, target=on)
            def go(self) -> None: ...

        return Lost

    assert the_problem(define) == "the forbid of 'GO' is inside the state 'on'; move it to the machine"


def test_a_guard_is_found_under_the_name_that_the_class_has_for_it() -> None:
    class Named(VoiceMachine):
        idle = State(initial=True)

        def __secret(self) -> bool:
            return True

        @transition(source=idle, guard=__secret)
        def one(self) -> None: ...

    assert Named().available == ("ONE",)
