"""The program that calls, through the SDK: asked for what is missing, and told that the work goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol, cast

import mcp_types as types
from mcp import MCPError
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from fsmvoice.bridge.client import Declined, Question

ASKED = "arguments"
"""The key of the question in a result that asks, and of the answer in the call that follows."""
PATIENCE = 300.0
"""Seconds that a human has to answer while the call waits; after that the question is spoken."""
PROGRESS_EVERY = 15.0


class InputNeeded(Exception):
    """The call ends with a question; its answer comes with another call (since protocol 2026-07-28)."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result
        super().__init__("input is needed")


class Call(Protocol):
    """What the SDKs' contexts of a call have in common."""

    @property
    def session(self) -> ServerSession: ...
    @property
    def protocol_version(self) -> str: ...
    @property
    def request_id(self) -> str | int | None: ...


class SdkClient:
    """What the client of a call can do.

    Args:
        meta: the request's `_meta`.
        responses: its answers to what an earlier result of the same call asked.
        progress_every: seconds between two progress notifications, where it wants any.
    """

    __slots__ = ("_call", "_responses", "progress_every")

    progress_every: float | None

    def __init__(
        self,
        call: Call,
        meta: object,
        responses: Mapping[str, Any] | None = None,
        *,
        progress_every: float = PROGRESS_EVERY,
    ) -> None:
        self._call, self._responses = call, responses
        wants = isinstance(meta, Mapping) and cast("Mapping[str, Any]", meta).get("progressToken") is not None
        self.progress_every = progress_every if wants else None

    @property
    def _modern(self) -> bool:
        return self._call.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def can_ask(self) -> bool:
        """Whether it said that it shows forms, and can be reached with one."""
        declared = self._call.session.client_capabilities
        forms = None if declared is None else declared.elicitation
        # Before 2025-11-25 there were no modes: whoever can ask at all shows forms.
        if forms is None or (forms.form is None and forms.url is not None):
            return False
        return self._modern or self._call.session.can_send_request

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        """Show a form.

        Raises:
            Declined: the human did not want to answer.
            InputNeeded: the answer comes with another call.
        """
        response = await (self._told(question) if self._modern else self._pushed(question))
        if not isinstance(response, types.ElicitResult):
            return None
        if response.action != "accept":
            raise Declined
        return response.content or {}

    async def _told(self, question: Question) -> object:
        """The answer that came with this call."""
        response = (self._responses or {}).get(ASKED)
        if response is not None:
            return response
        form = types.ElicitRequestFormParams(message=question.text, requested_schema=question.schema)
        raise InputNeeded(types.InputRequiredResult(input_requests={ASKED: types.ElicitRequest(params=form)}))

    async def _pushed(self, question: Question) -> object:
        """The answer to a request of ours, on the stream of this call."""
        call = self._call
        try:
            async with asyncio.timeout(PATIENCE):
                return await call.session.elicit_form(question.text, question.schema, call.request_id)
        except (MCPError, ValidationError, TimeoutError):
            return None

    async def report(self, count: int, say: str) -> None:
        """Send a progress notification."""
        await self._call.session.report_progress(count, None, say)
