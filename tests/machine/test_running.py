from __future__ import annotations

import weakref
from typing import Any, cast

import pytest

from fsmvoice import Compound, State, VoiceMachine, after, effect, transition
from fsmvoice.errors import ActionFailed


class Forgetful(VoiceMachine):
    here = State(initial=True)
    there = State()

    @transition("GO", source=here, target=there)
    def go(self) -> None:
        self.context = cast("dict[str, Any]", None)

    @transition("BACK", source=there, target=here)
    def back(self) -> None: ...


def test_a_context_that_is_replaced_by_nothing_is_refused_and_not_ignored() -> None:
    machine = Forgetful()
    with pytest.raises(ActionFailed, match="can't be None"):
        machine.go.sync()
    assert machine.state == "here"


class Slow(VoiceMachine[dict[str, Any]]):
    a = State(initial=True)

    @transition("GO", source=a)
    def go(self) -> None:
        self.context["n"] = self.context.get("n", 0) + 1

    @after(60, source=a, target=a)
    def tick(self) -> None: ...


async def test_code_that_outlives_a_call_on_a_session_sees_where_the_call_has_left_its_machine() -> None:
    place = Slow.chart.behaviour.place
    assert place is not None
    actor = place(Slow().snapshot.run_state)
    machine = actor.machine

    await actor.send("GO")
    actor.close()

    assert (machine.context, machine.state) == ({"n": 1}, "a")
    here = weakref.ref(actor)
    del actor
    assert here() is None  # nothing waits for the garbage collector


class Named(VoiceMachine):
    a = State(initial=True)

    class b(Compound):
        c = State(initial=True)

    @transition("GO", source=a, target=b)
    def go(self) -> None: ...

    @transition("BACK", source=b, target=a)
    def back(self) -> None: ...

    @effect
    async def mail(self) -> None: ...

    def helper(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("name", "what"), [("a", "a state"), ("b", "a state"), ("go", "an event"), ("mail", "an effect")]
)
def test_an_attribute_can_not_hide_a_declaration(name: str, what: str) -> None:
    machine = Named()
    with pytest.raises(AttributeError, match=f"'{name}' is {what} of Named; name the attribute otherwise"):
        setattr(machine, name, 1)
    vars(machine)["helper"] = 2
    machine.other = 3  # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue] - users do that
    assert machine.go.sync().ok
