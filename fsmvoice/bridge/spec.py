"""The shapes a bridge hands to a server: tools, resources and replies, free of any SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.keys import CallContext


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The result of a call: a text to speak, and the same facts as data (`structured["say"]` is the text)."""

    text: str
    structured: dict[str, Any]
    is_error: bool = False


class ToolHandler(Protocol):
    """Handles a call. It never raises for anything a client sends; only a cancellation leaves it."""

    async def __call__(self, arguments: Any = None, ctx: CallContext | None = None) -> ToolReply: ...


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool. `event` is the machine's event behind it, None for the bridge's own tools."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: Mapping[str, bool]
    """MCP's `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`."""
    handler: ToolHandler
    event: str | None = None


class ResourceReader(Protocol):
    """Reads a resource as text. `session` fills the template's variable."""

    async def __call__(self, ctx: CallContext | None = None, *, session: str | None = None) -> str: ...


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """A resource, or with `{session}` in its URI a template of some."""

    uri: str
    name: str
    title: str
    description: str
    read: ResourceReader
    mime_type: str = "application/json"

    @property
    def is_template(self) -> bool:
        return "{session}" in self.uri


class UnknownResource(FsmVoiceError, LookupError):
    """There is no such resource; somebody else's gets the same answer."""
