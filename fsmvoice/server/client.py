"""The client of a call, through the SDK: it can be asked for missing arguments and sent progress."""

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
"""The protocol extension in which a client declares the MIME types that it shows."""
PATIENCE = 300.0
"""Seconds that a human has to answer while the call waits. After that the question is asked in speech."""
PROGRESS_EVERY = 15.0
"""Seconds between progress notifications."""


class InputNeeded(Exception):
    """The call ends with a question, and its answer comes with another call (since protocol 2026-07-28)."""

    def __init__(self, result: types.InputRequiredResult) -> None:
        self.result = result
        super().__init__("input is needed")


class Call(Protocol):
    """What the call contexts of both SDKs have in common."""

    @property
    def session(self) -> ServerSession: ...
    @property
    def protocol_version(self) -> str: ...
    @property
    def request_id(self) -> str | int | None: ...


class SdkClient:
    """The `Client` of a call.

    Args:
        meta: the request's `_meta`.
        responses: answers to the questions that an earlier result of the same call asked, by the questions' names.
        carried: the state that this result gave the client to send back.
        progress_every: seconds between two progress notifications, if the client wants any.
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
        """Whether the client declared that it shows MCP Apps, or the call comes from one."""
        if self._shows:
            return True
        declared = self._call.session.client_capabilities
        apps = None if declared is None else (declared.extensions or {}).get(APPS)
        return apps is not None and APP_MIME in apps.get("mimeTypes", (APP_MIME,))

    @property
    def can_ask(self) -> bool:
        """Whether the client declared that it shows forms, and a form can reach it."""
        declared = self._call.session.client_capabilities
        forms = None if declared is None else declared.elicitation
        # Before 2025-11-25 there were no modes: a client with the capability shows forms.
        if forms is None or (forms.form is None and forms.url is not None):
            return False
        return self._modern or self._call.session.can_send_request

    def answered(self, name: str) -> Mapping[str, Any] | None:
        """The answer that came with this call; each is returned once. An invalid answer counts as an empty form.

        Raises:
            Declined: if the human did not want to answer.
        """
        responses = self._responses
        if not responses or name not in responses:
            return None
        self._responses = {key: response for key, response in responses.items() if key != name}
        return _content(responses[name]) or {}

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        """Show a form.

        Raises:
            Declined: if the human did not want to answer.
            InputNeeded: if the answer will come with another call.
        """
        if not self._modern:
            return _content(await self._pushed(question))
        form = types.ElicitRequestFormParams(message=question.text, requested_schema=question.schema)
        requests: types.InputRequests = {question.name: types.ElicitRequest(params=form)}
        raise InputNeeded(types.InputRequiredResult(input_requests=requests, request_state=question.carry))

    async def _pushed(self, question: Question) -> object:
        """The answer to an elicitation request, sent on the stream of this call."""
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
    """The fields of a filled-in form, None if the response is not a valid answer.

    Raises:
        Declined: if the human did not want to answer.
    """
    if not isinstance(response, types.ElicitResult):
        return None
    if response.action != "accept":
        raise Declined
    return response.content or {}
