"""What Amazon would refuse is told where it can be put right."""

from __future__ import annotations

from pathlib import Path

from fsmvoice import State, VoiceMachine, spoken, transition
from fsmvoice.check import check


class Shop(VoiceMachine, id="computer"):
    __doc__ = "Tea. " * 25

    idle = State(initial=True, prompt="A tea?")

    @spoken("buy a tea")
    @transition("BUY_1", source=idle)
    def buy(self) -> None: ...

    @spoken("take a tea")
    @transition("BUY_ONE", source=idle)
    def take(self) -> None: ...


def test_a_refused_listing_is_reported_at_the_class_and_a_refused_intent_at_its_event() -> None:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    found = [finding for finding in check(Shop, alexa=True).findings if finding.rule in ("A03", "A04")]
    told = {finding.message: (lines[int(finding.where.rpartition(":")[2]) - 1], finding.right) for finding in found}
    at_class = 'class Shop(VoiceMachine, id="computer"):'
    assert told["the short description has 124 characters; it may have 123"][0] == at_class
    assert told["'my computer' contains 'computer', which Alexa reserves"] == (at_class, "give the machine another id")
    line, right = told["two intents are named 'BuyOneIntent'"]
    assert line == '    @spoken("buy a tea")'
    assert right == "rename BUY_1 or BUY_ONE"
