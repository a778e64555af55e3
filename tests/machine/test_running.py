from __future__ import annotations

from typing import Any, cast

import pytest

from fsmvoice import State, VoiceMachine, transition
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
