"""Who is asked: clients that said they show forms, over a transport that reaches them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mcp_types as types
import pytest

from fsmvoice.server.client import SdkClient

FORM, URL = types.FormElicitationCapability(), types.UrlElicitationCapability()


def client(version: str, elicitation: types.ElicitationCapability | None, *, reachable: bool) -> SdkClient:
    declared = types.ClientCapabilities(elicitation=elicitation)
    session = SimpleNamespace(client_capabilities=declared, can_send_request=reachable)
    call: Any = SimpleNamespace(session=session, protocol_version=version, request_id=1)
    return SdkClient(call, {})


@pytest.mark.parametrize(
    ("elicitation", "asked"),
    [
        (None, False),
        (types.ElicitationCapability(), True),
        (types.ElicitationCapability(form=FORM), True),
        (types.ElicitationCapability(form=FORM, url=URL), True),
        (types.ElicitationCapability(url=URL), False),
    ],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_a_client_is_asked_in_forms_if_it_shows_them(
    version: str, elicitation: types.ElicitationCapability | None, asked: bool
) -> None:
    assert client(version, elicitation, reachable=True).can_ask is asked


def test_a_client_that_answers_with_another_call_need_not_be_reached_during_this_one() -> None:
    form = types.ElicitationCapability(form=FORM)

    assert client("2026-07-28", form, reachable=False).can_ask
    assert not client("2025-11-25", form, reachable=False).can_ask


@pytest.mark.parametrize(("meta", "wants"), [(None, False), ({}, False), ({"progressToken": 0}, True)])
def test_progress_is_told_to_those_who_gave_a_token(meta: object, wants: bool) -> None:
    call: Any = SimpleNamespace()

    assert (SdkClient(call, meta, progress_every=9).progress_every == 9) is wants
