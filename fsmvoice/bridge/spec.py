"""The shapes a bridge hands to a server: tools, resources and replies, free of any SDK."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from fsmvoice.bridge.client import Client
from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.keys import CallContext


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The result of a call: a text to speak, and the same facts as data (`structured["say"]` is the text).

    `screen` makes what a client that shows screens gets as `structured["screen"]`; None where there is no session.
    """

    text: str
    structured: dict[str, Any]
    is_error: bool = False
    screen: Callable[[], dict[str, Any]] | None = field(default=None, compare=False, repr=False)


class ToolHandler(Protocol):
    """Handles a call. It never raises for anything a client sends; only a cancellation leaves it.

    `client` is what the caller's own program can do meanwhile: ask a human, show progress. What it raises leaves too.
    """

    async def __call__(
        self, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply: ...


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
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What a host finds in the tool's `_meta`."""


class ResourceReader(Protocol):
    """Reads a resource as text. `session` fills the template's variable."""

    async def __call__(self, ctx: CallContext | None = None, *, session: str | None = None) -> str: ...


class ResourceWatcher(Protocol):
    """Has `changed` called after each change of a resource, at once; it must not wait. Returns what ends that.

    Raises:
        UnknownResource: if there is none, or its session is not the caller's.
    """

    async def __call__(
        self, changed: Callable[[], None], ctx: CallContext | None = None, *, session: str | None = None
    ) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """A resource, or with `{session}` in its URI a template of some. Without `watch` it never changes."""

    uri: str
    name: str
    title: str
    description: str
    read: ResourceReader
    mime_type: str = "application/json"
    watch: ResourceWatcher | None = None
    meta: Mapping[str, Any] | None = None
    """What a host finds in its `_meta`."""

    @property
    def is_template(self) -> bool:
        return "{session}" in self.uri


class PromptReader(Protocol):
    """The text of a prompt for this caller. It never raises for anything a client sends."""

    async def __call__(self, arguments: Mapping[str, str] | None = None, ctx: CallContext | None = None) -> str: ...


class PromptCompleter(Protocol):
    """What an argument of a prompt can be, of those values that fit what is typed so far."""

    async def __call__(
        self,
        argument: str,
        typed: str = "",
        arguments: Mapping[str, str] | None = None,
        ctx: CallContext | None = None,
    ) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """A prompt. `arguments` maps each argument's name to its description; all may be left out."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    read: PromptReader
    complete: PromptCompleter


class UnknownResource(FsmVoiceError, LookupError):
    """There is no such resource; somebody else's gets the same answer."""
