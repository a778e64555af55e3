"""A guard of a class that changes something has failed, and has changed nothing."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pytest
from pydantic import BaseModel, PrivateAttr

from fsmvoice import ActionFailed, State, VoiceMachine, always, transition


class Line(BaseModel):
    name: str = "bean"
    sizes: list[str] = []

    @property
    def grown(self) -> int:
        self.sizes.append("more")
        return len(self.sizes)


class Cart(BaseModel):
    owner: str = "ann"
    items: list[str] = ["bean"]
    lines: list[Line] = [Line()]
    prices: dict[str, float] = {"none": float("nan")}
    _seen: list[str] = PrivateAttr(default_factory=list[str])

    @cached_property
    def first(self) -> str:
        return self.items[0]

    def take(self, item: str) -> None:
        self.items.append(item)

    def note(self) -> int:
        self._seen.append("x")
        return len(self._seen)


class Shop(VoiceMachine[Cart]):
    idle = State(initial=True)
    sold = State(final=True)

    def assigns(self) -> bool:
        self.context.owner = "bob"
        return True

    def appends(self) -> bool:
        self.context.items.append("cup")
        return True

    def reaches_deep(self) -> bool:
        self.context.lines[0].sizes += ["small"]
        return True

    def calls_what_changes(self) -> bool:
        self.context.take("cup")
        return True

    def reads_what_changes(self) -> bool:
        return self.context.lines[0].grown > 0

    def notes(self) -> bool:
        return self.context.note() > 0

    def replaces(self) -> bool:
        self.context = Cart(owner="bob")
        return True

    def sets_own(self) -> bool:
        self.busy = True
        return True

    def takes_payload(self, name: str) -> bool:
        self.context.owner = name
        return True

    def looks(self) -> bool:
        return self.context.first.startswith("bean") and self.context.model_copy(update={"owner": "x"}).owner == "x"

    @transition(source=idle, target=sold, guard=assigns)
    def a(self) -> None: ...
    @transition(source=idle, target=sold, guard=appends)
    def b(self) -> None: ...
    @transition(source=idle, target=sold, guard=reaches_deep)
    def c(self) -> None: ...
    @transition(source=idle, target=sold, guard=calls_what_changes)
    def d(self) -> None: ...
    @transition(source=idle, target=sold, guard=reads_what_changes)
    def d2(self) -> None: ...
    @transition(source=idle, target=sold, guard=notes)
    def e(self) -> None: ...
    @transition(source=idle, target=sold, guard=replaces)
    def f(self) -> None: ...
    @transition(source=idle, target=sold, guard=sets_own)
    def g(self) -> None: ...
    @transition(source=idle, target=sold, guard=takes_payload)
    def h(self, name: str) -> None: ...
    @transition(source=idle, target=sold, guard=looks)
    def ok(self) -> None: ...


FAULTS = {
    "A": "the guard 'assigns' raised TypeError while it decided the event 'A' in state 'idle': "
    "it changed 'owner' in the context; it only looks, so change that in an action",
    "B": "'appends'.*it changed 'items' in the context",
    "C": "'reaches_deep'.*it changed 'lines' in the context",
    "D": "'calls_what_changes'.*it changed 'items' in the context",
    "D2": "'reads_what_changes'.*it changed 'lines' in the context",
    "E": "'notes'.*it changed '_seen' in the context",
    "F": "'replaces'.*changes only in an action",
    "G": "'sets_own'.*a guard of Shop sets 'busy'; it only looks, so use an action",
}


@pytest.mark.parametrize("event", FAULTS)
def test_a_guard_that_changes_something_is_an_error_that_names_it(event: str) -> None:
    shop = Shop()
    before = shop.context.model_copy(deep=True)
    with pytest.raises(ActionFailed, match=FAULTS[event]):
        shop.send_sync(event)
    assert (shop.state, shop.context) == ("idle", before)
    assert not hasattr(shop, "busy")
    assert shop.ok.sync().ok
    assert shop.context.note() == 1


def test_so_is_one_that_gets_the_payload() -> None:
    shop = Shop()
    with pytest.raises(ActionFailed, match=r"'takes_payload'.*'owner'"):
        shop.h.sync("bob")
    assert shop.context.owner == "ann"


def test_while_offers_are_listed_it_counts_as_no_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    shop = Shop()
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        assert shop.available == ("H", "OK")
        assert not shop.b.can()
    assert "the guard 'appends' raised TypeError" in caplog.text
    assert shop.context.items == ["bean"]


def test_a_guard_that_only_looks_may_use_methods_and_copies() -> None:
    assert Shop().ok.sync().ok
    assert Shop().ok.can()


@dataclass(eq=False)
class Till:
    coins: list[int] = field(default_factory=list[int])


class Counter(VoiceMachine[Till]):
    """Its guards are asked in the middle of a step too, about the draft."""

    a = State(initial=True)
    b = State()
    c = State()

    def adds(self) -> bool:
        self.context.coins.append(100)
        return True

    def has(self) -> bool:
        return self.context.coins.count(1) == 1

    @transition(source=a, target=b)
    def pay(self) -> None:
        self.context.coins.append(1)

    @always(source=b, target=c, guard=has)
    def paid(self) -> None:
        self.context.coins.append(2)

    @transition(source=c, target=c)
    def again(self) -> None:
        self.context.coins.append(3)
        self.more.queue()

    @transition(source=c, target=a, guard=adds)
    def more(self) -> None: ...


def test_a_guard_in_the_middle_of_a_step_sees_what_actions_did_and_changes_nothing() -> None:
    counter = Counter()
    assert counter.pay.sync().context.coins == [1, 2]
    with pytest.raises(ActionFailed, match=r"the guard 'adds' raised TypeError.*it changed 'coins'"):
        counter.again.sync()
    assert (counter.state, counter.context.coins) == ("c", [1, 2])


class Loose(VoiceMachine[dict[str, Any]]):
    idle = State(initial=True)

    def pops(self) -> bool:
        return self.context.pop("n", None) is None

    def adds(self) -> bool:
        self.context["list"].append(2)
        return True

    @transition(source=idle, guard=pops)
    def one(self) -> None: ...

    @transition(source=idle, guard=adds)
    def two(self) -> None: ...


@pytest.mark.parametrize(("event", "field"), [("ONE", "n"), ("TWO", "list")])
def test_a_dict_is_kept_from_guards_too(event: str, field: str) -> None:
    loose = Loose({"n": 1, "list": [1]})
    with pytest.raises(ActionFailed, match=f"it changed '{field}' in the context"):
        loose.send_sync(event)
    assert loose.context == {"n": 1, "list": [1]}


class Handle:
    """Something that is not data, and equal only to itself."""

    def __init__(self) -> None:
        self.parts = [self]


def test_what_has_no_equality_of_its_own_is_not_taken_for_changed() -> None:
    class Holds(VoiceMachine[dict[str, Any]]):
        idle = State(initial=True)

        def held(self) -> bool:
            return self.context.get("handle") is not None

        @transition(source=idle, guard=held)
        def go(self) -> None: ...

    assert Holds({"handle": Handle(), "odd": [float("nan"), {Handle()}]}).go.sync().ok


class Circle(VoiceMachine):
    idle = State(initial=True)

    def asks_itself(self) -> bool:
        return not self.one.can()

    def asks_all(self) -> bool:
        return "OTHER" in self.available

    def asks_another(self) -> bool:
        return self.other.can() and self.state == "idle"

    @transition(source=idle, guard=asks_itself)
    def one(self) -> None: ...

    @transition(source=idle, guard=asks_all)
    def two(self) -> None: ...

    @transition(source=idle, guard=asks_another)
    def three(self) -> None: ...

    @transition(source=idle)
    def other(self) -> None: ...


def test_a_guard_that_asks_what_it_is_to_say_fails_and_does_not_go_round(caplog: pytest.LogCaptureFixture) -> None:
    circle = Circle()
    with pytest.raises(ActionFailed, match="a guard of 'ONE' asks whether 'ONE' is possible"):
        circle.one.sync()
    with pytest.raises(ActionFailed, match="a guard of 'TWO' asks whether 'TWO' is possible"):
        circle.two.sync()
    assert circle.three.sync().ok
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        assert circle.available == ("THREE", "OTHER")
    assert len(caplog.records) < 10
