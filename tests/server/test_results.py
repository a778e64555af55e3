"""A call's result, as JSON and as the SDK's model."""

from __future__ import annotations

import pytest

from fsmvoice.bridge.spec import ToolReply
from fsmvoice.server.protocol import wire_data, wire_reply


@pytest.mark.parametrize("is_error", [False, True])
def test_the_json_of_a_result_is_that_of_the_sdks_own_model(is_error: bool) -> None:
    reply = ToolReply("Okay.", {"ok": True, "say": "Okay.", "state": {"context": {"drink": None}}}, is_error)

    assert wire_data(reply) == wire_reply(reply).model_dump(mode="json", by_alias=True, exclude_none=True)
