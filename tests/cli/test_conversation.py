"""A conversation in words: what is confirmed is done after a yes, and after nothing else."""

from __future__ import annotations

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.cli.conversation import Conversation
from tests.server.browser.cafe import Cafe


async def test_to_ask_for_it_again_is_not_a_yes() -> None:
    talk = Conversation(create_fsm_mcp_bridge(Cafe))
    await talk.hear("a large latte please")

    asked = [await talk.hear("cancel the order") for _ in range(3)]
    done = await talk.hear("yes, cancel the order")

    assert {(turn.say, turn.reason) for turn in asked} == {("Really cancel your latte?", "needs-confirmation")}
    assert (done.ok, done.state) == (True, "idle")
