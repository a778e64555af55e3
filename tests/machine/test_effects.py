"""An effect is declared with its parameters; it does not run yet, and a machine that has one says so."""

from __future__ import annotations

import pytest

from fsmvoice import NotSupported, State, VoiceMachine, effect
from fsmvoice.machine.effects import Effect
from tests.machine.defining import problems_in


class Mails(VoiceMachine):
    idle = State(initial=True)

    @effect
    async def receipt(self, to: str) -> None:
        """Send the receipt."""


def test_an_effect_keeps_its_name_and_is_in_the_behaviour() -> None:
    assert isinstance(Mails.receipt, Effect)
    assert (Mails.receipt.__name__, Mails.receipt.__doc__) == ("receipt", "Send the receipt.")
    assert list(Mails.chart.behaviour.effects) == ["receipt"]


def test_a_machine_that_has_one_is_refused_wherever_it_would_run() -> None:
    with pytest.raises(NotSupported, match="it has the effect 'receipt'"):
        Mails()
    with pytest.raises(NotSupported, match="it has the effect 'receipt'"):
        _ = Mails.at("idle").state


def test_what_is_no_effect_is_told() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @effect  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            def blocks(self) -> None: ...

            @effect  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            @staticmethod
            async def alone() -> None: ...

        return Bad

    assert {problem.message: problem.hint for problem in problems_in(define)} == {
        "the effect 'blocks' is not async": "write async def",
        "@effect decorates a staticmethod": "leave the staticmethod out: "
        "the method's first parameter is the running machine",
    }
