"""`POST /hear` says what words mean in the caller's conversation, and does nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.server.browser.cafe import Cafe

HERE = "http://127.0.0.1:3100"
BRIDGE = create_fsm_mcp_bridge(Cafe)


@pytest.fixture
async def page() -> AsyncGenerator[httpx2.AsyncClient]:
    app = asgi(BRIDGE, ui=True)
    await BRIDGE.reset()
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=HERE) as client:
        yield client


async def heard(page: httpx2.AsyncClient, text: str, **more: Any) -> dict[str, Any]:
    answer = await page.post("/hear", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_it_answers_the_event_its_tool_and_what_it_carries(page: httpx2.AsyncClient) -> None:
    assert await heard(page, "a large latte please") == {
        "kind": "match",
        "event": "ORDER",
        "payload": {"drink": "latte", "size": "large"},
        "confidence": 1.0,
        "tool": "cafe_order",
        "label": "order a drink",
    }


async def test_hearing_does_nothing(page: httpx2.AsyncClient) -> None:
    await heard(page, "a large latte please")
    assert (await BRIDGE.get_snapshot()).value == "idle"


async def test_where_there_are_handles_it_hears_for_who_holds_one() -> None:
    bridge = create_fsm_mcp_bridge(Cafe, handles=True)
    opened = await bridge.call("cafe_start_session")
    transport = httpx2.ASGITransport(app=asgi(bridge, ui=True))
    async with httpx2.AsyncClient(transport=transport, base_url=HERE) as page:
        assert (await heard(page, "a latte", session=opened.structured["session"]))["event"] == "ORDER"
        assert (await heard(page, "a latte", session="a guess"))["reason"] == "session-not-found"


async def test_an_answer_belongs_to_the_question_that_is_open(page: httpx2.AsyncClient) -> None:
    asked = {"event": "ORDER", "payload": {"size": "small"}, "parameter": "drink"}
    answer = await heard(page, "latte", asked=asked)
    assert answer["event"] == "ORDER"
    assert answer["payload"] == {"size": "small", "drink": "latte"}


async def test_only_a_yes_is_one(page: httpx2.AsyncClient) -> None:
    asked: dict[str, Any] = {"event": "CANCEL", "payload": {}}
    assert (await heard(page, "yes", asked=asked))["yes"] is True
    again = await heard(page, "cancel the order", asked=asked)
    assert (again["event"], "yes" in again) == ("CANCEL", False)


@pytest.mark.parametrize("locale", ["fr", "../../etc/passwd", "x" * 5000, ["de"]])
async def test_a_language_that_is_not_there_is_heard_as_the_machines_own(
    page: httpx2.AsyncClient, locale: object
) -> None:
    assert (await heard(page, "yes", locale=locale, asked={"event": "CANCEL"}))["event"] == "CANCEL"


async def test_what_is_about_the_conversation_has_its_tool(page: httpx2.AsyncClient) -> None:
    assert (await heard(page, "help"))["tool"] == "cafe_status"
    assert (await heard(page, "start over"))["tool"] == "cafe_start_over"


async def test_what_nobody_understands_is_not_a_match(page: httpx2.AsyncClient) -> None:
    assert (await heard(page, "colourless green ideas"))["kind"] == "none"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"text": 5}',
        b'{"text": "' + b"x" * 2000 + b'"}',
        b'{"text": "' + b"x" * 20_000 + b'"}',
        b'{"text": "a \\ud800"}',
        b'{"text": "yes", "asked": {"event": "CANCEL", "payload": {"n": NaN}}}',
        b'{"text": "yes", "asked": {"event": "CANCEL", "payload": {"n": 1e999}}}',
        b'{"text": "yes", "asked": {"event": "CANCEL", "payload": {"\\ud800": 1}}}',
        b'{"text": "yes", "asked": {"event": "CANCEL", "payload": {"n": ' + b"[" * 500 + b"]" * 500 + b"}}}",
        b'{"text": "yes", "asked": {"event": "CANCEL", "payload": {"n": ' + b"9" * 4000 + b"}}}",
    ],
)
async def test_what_it_can_not_read_is_reported_with_what_would_be_right(page: httpx2.AsyncClient, body: bytes) -> None:
    answer = await page.post("/hear", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert '"text"' in answer.json()["error"]


async def test_a_form_of_another_site_is_not_heard(page: httpx2.AsyncClient) -> None:
    answer = await page.post("/hear", content=b'{"text": "yes"}', headers={"content-type": "text/plain"})
    assert answer.status_code == 400
    answer = await page.post("/hear", json={"text": "yes"}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


@pytest.mark.parametrize("asked", [5, {}, {"event": "NONE"}, {"event": "ORDER", "payload": 5, "parameter": 7}])
async def test_a_question_that_is_none_is_not_minded(page: httpx2.AsyncClient, asked: object) -> None:
    assert (await heard(page, "a latte", asked=asked))["event"] == "ORDER"


@pytest.mark.parametrize("session", [5, "x" * 500])
async def test_a_session_that_can_not_be_is_reported(page: httpx2.AsyncClient, session: object) -> None:
    answer = await heard(page, "a latte", session=session)
    assert (answer["kind"], answer["reason"]) == ("none", "session-not-found")
