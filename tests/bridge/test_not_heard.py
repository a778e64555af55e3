"""What is said to words that nobody understands: what was asked or can be done, and from the third time the way out."""

from __future__ import annotations

import httpx2
import pytest

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.cli.conversation import Conversation
from fsmvoice.server import asgi
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.voice.heard import Asked
from fsmvoice.voice.phrases.catalogue import phrases_for
from tests.server.browser.cafe import Cafe

LANGUAGES = ("en", "de", "es", "fr", "ja")


@pytest.mark.parametrize("tag", LANGUAGES)
async def test_every_language_says_so_then_what_can_be_done_then_the_way_out(tag: str) -> None:
    bridge, ctx, phrases = create_fsm_mcp_bridge(Coffee), CallContext(locale=tag), phrases_for(tag)
    await bridge.call("coffee_order", {"drink": "latte"}, ctx)

    said = [await bridge.not_heard(ctx) for _ in range(4)]

    assert all(text.startswith(phrases.not_heard) for text in said)
    assert said[0] != said[1] != said[2] == said[3]
    assert [phrases.start_over in text for text in said] == [False, False, True, True]
    assert (await bridge.get_snapshot(ctx)).value == "ordering"


async def test_it_counts_with_other_failures_and_something_done_ends_the_count() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    await bridge.call("coffee_confirm")
    await bridge.not_heard()
    assert "start over" in await bridge.not_heard()
    await bridge.call("coffee_order", {"drink": "latte"})
    assert "start over" not in await bridge.not_heard()


async def test_the_question_that_is_open_is_asked_again_and_is_the_last_word() -> None:
    bridge = create_fsm_mcp_bridge(Cafe)
    drink = Asked("ORDER", {"size": "small"}, "drink")
    assert (await bridge.not_heard(asked=drink)).startswith("Sorry, I didn't get that. Which drink would you like")
    await bridge.call("cafe_order", {"drink": "latte"})
    cancel = Asked("CANCEL")

    said = [await bridge.not_heard(asked=cancel) for _ in range(3)]

    assert said[0] == "Sorry, I didn't get that. Really cancel your latte?"
    assert said[2] == "Sorry, I didn't get that. You can start over. Really cancel your latte?"


async def test_a_question_for_what_is_not_possible_any_more_is_not_asked_again() -> None:
    bridge = create_fsm_mcp_bridge(Cafe)
    assert "cancel" not in await bridge.not_heard(asked=Asked("CANCEL"))


async def test_a_session_that_is_not_there_is_reported() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)
    assert "begin a new one" in await bridge.not_heard(CallContext(meta={SESSION_META: "a guess"}))


@pytest.mark.parametrize("tag", LANGUAGES)
async def test_the_page_and_talk_say_the_same(tag: str) -> None:
    talk = Conversation(create_fsm_mcp_bridge(Coffee), tag)
    said = [(await talk.hear("qqq")).say for _ in range(3)]
    app = asgi(create_fsm_mcp_bridge(Coffee), ui=True)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://127.0.0.1:3100") as page:
        answers = [(await page.post("/hear", json={"text": "qqq", "locale": tag})).json() for _ in range(3)]

    assert [answer["say"] for answer in answers] == said
