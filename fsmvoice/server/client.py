"""The program that calls, through the SDK: asked for what is missing, and told that the work goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

import mcp_types as types
from mcp import MCPError
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from fsmvoice.bridge.client import Declined, Question
from fsmvoice.model.shapes import is_object
from fsmvoice.screen.document import APP_MIME
from fsmvoice.sessions.meta import SCREEN_META

APPS = "io.modelcontextprotocol/ui"
"""The extension that says which documents a client shows."""
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
        responses: its answers to what an earlier result of the same call asked, by the questions' names.
        carried: what that result gave it to bring back.
        progress_every: seconds between two progress notifications, where it wants any.
    """

    __slots__ = ("_call", "_responses", "_shows", "carried", "progress_every")

    carried: str | None
    progress_every: float | None

    def __init__(
        self,
        call: Call,
        meta: object,
        responses: Mapping[str, Any] | None = None,
        carried: str | None = None,
        *,
        progress_every: float = PROGRESS_EVERY,
    ) -> None:
        self._call, self._responses, self.carried = call, responses, carried
        told: Mapping[str, Any] = meta if is_object(meta) else {}
        self._shows = told.get(SCREEN_META) is True
        self.progress_every = None if told.get("progressToken") is None else progress_every

    @property
    def _modern(self) -> bool:
        return self._call.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def shows_screens(self) -> bool:
        """Whether it said that it shows MCP Apps, or that this call comes from one."""
        if self._shows:
            return True
        declared = self._call.session.client_capabilities
        apps = None if declared is None else (declared.extensions or {}).get(APPS)
        return apps is not None and APP_MIME in apps.get("mimeTypes", (APP_MIME,))

    @property
    def can_ask(self) -> bool:
        """Whether it said that it shows forms, and can be reached with one."""
        declared = self._call.session.client_capabilities
        forms = None if declared is None else declared.elicitation
        # Before 2025-11-25 there were no modes: whoever can ask at all shows forms.
        if forms is None or (forms.form is None and forms.url is not None):
            return False
        return self._modern or self._call.session.can_send_request

    def answered(self, name: str) -> Mapping[str, Any] | None:
        """The answer that came with this call, once. What is no answer to a form is one without fields.

        Raises:
            Declined: the human did not want to answer.
        """
        responses = self._responses
        if not responses or name not in responses:
            return None
        self._responses = {key: response for key, response in responses.items() if key != name}
        return _content(responses[name]) or {}

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        """Show a form.

        Raises:
            Declined: the human did not want to answer.
            InputNeeded: the answer comes with another call.
        """
        if not self._modern:
            return _content(await self._pushed(question))
        form = types.ElicitRequestFormParams(message=question.text, requested_schema=question.schema)
        requests: types.InputRequests = {question.name: types.ElicitRequest(params=form)}
        raise InputNeeded(types.InputRequiredResult(input_requests=requests, request_state=question.carry))

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


def _content(response: object) -> Mapping[str, Any] | None:
    """What a form was filled in with; None for what is no answer. Raises Declined."""
    if not isinstance(response, types.ElicitResult):
        return None
    if response.action != "accept":
        raise Declined
    return response.content or {}
