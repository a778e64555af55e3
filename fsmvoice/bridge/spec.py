"""What a bridge offers to a server: tools, resources, prompts and replies, independent of any SDK."""

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

    `screen` makes the value of `structured["screen"]` for clients that show screens; None if there is no session.
    """

    text: str
    structured: dict[str, Any]
    is_error: bool = False
    screen: Callable[[], dict[str, Any]] | None = field(default=None, compare=False, repr=False)


class ToolHandler(Protocol):
    """Handles a call. It never raises because of what a client sent; only a cancellation passes through.

    `client` lets the handler ask a human or show progress meanwhile. What `client` raises passes through too.
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
    """The tool's `_meta` for hosts."""


class ResourceReader(Protocol):
    """Reads a resource as text. `session` is the value of the template's variable."""

    async def __call__(self, ctx: CallContext | None = None, *, session: str | None = None) -> str: ...


class ResourceWatcher(Protocol):
    """Calls `changed`, which must not block, after each change of a resource. Returns a function that ends this.

    Raises:
        UnknownResource: if the resource doesn't exist, or its session is not the caller's.
    """

    async def __call__(
        self, changed: Callable[[], None], ctx: CallContext | None = None, *, session: str | None = None
    ) -> Callable[[], None]: ...


@dataclass(frozen=True, slots=True)
class ResourceSpec:
    """A resource or, with `{session}` in its URI, a resource template. Without `watch` it never changes."""

    uri: str
    name: str
    title: str
    description: str
    read: ResourceReader
    mime_type: str = "application/json"
    watch: ResourceWatcher | None = None
    meta: Mapping[str, Any] | None = None
    """The resource's `_meta` for hosts."""

    @property
    def is_template(self) -> bool:
        return "{session}" in self.uri


class PromptReader(Protocol):
    """Reads the text of a prompt for a caller. It never raises because of what a client sent."""

    async def __call__(self, arguments: Mapping[str, str] | None = None, ctx: CallContext | None = None) -> str: ...


class PromptCompleter(Protocol):
    """The values that an argument of a prompt can have, as far as they fit what is typed so far."""

    async def __call__(
        self,
        argument: str,
        typed: str = "",
        arguments: Mapping[str, str] | None = None,
        ctx: CallContext | None = None,
    ) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class PromptSpec:
    """A prompt. `arguments` maps the name of each argument to its description; all are optional."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    read: PromptReader
    complete: PromptCompleter


class UnknownResource(FsmVoiceError, LookupError):
    """The resource doesn't exist, or belongs to another caller, who must not be told apart."""


class ResourceUnavailable(UnknownResource):
    """The resource can't be read now, because the store is away for example."""
