"""The MCP handlers for a bridge's prompts and the completion of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import PromptSpec
from fsmvoice.sessions.keys import CallContext


class Prompts:
    """The handlers of `prompts/list`, `prompts/get` and `completion/complete`."""

    def __init__(self, bridge: FsmMcpBridge, caller: Callable[[ServerRequestContext[Any, Any]], CallContext]) -> None:
        self._caller = caller
        self._prompts = {prompt.name: prompt for prompt in bridge.prompts}
        self._templates = {resource.uri for resource in bridge.resources if resource.is_template}
        self._listed = types.ListPromptsResult(prompts=[wire_prompt(prompt) for prompt in bridge.prompts])

    def has(self, ref: types.PromptReference | types.ResourceTemplateReference) -> bool:
        """Whether a completion is about one of these prompts or of the bridge's resource templates."""
        return ref.name in self._prompts if isinstance(ref, types.PromptReference) else ref.uri in self._templates

    async def list(
        self, _ctx: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """All prompts. They never change."""
        return self._listed

    async def get(
        self, ctx: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """A prompt for the caller's session."""
        prompt = self._prompt(params.name)
        text = await prompt.read(params.arguments, self._caller(ctx))
        message = types.PromptMessage(role="assistant", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompt.description, messages=[message])

    async def complete(
        self, ctx: ServerRequestContext[Any, Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """The values that fit an argument. The session in a resource template has none, since handles are secret."""
        ref, argument = params.ref, params.argument
        values: list[str] = []
        if isinstance(ref, types.PromptReference):
            given = None if params.context is None else params.context.arguments
            found = await self._prompt(ref.name).complete(argument.name, argument.value, given, self._caller(ctx))
            values = list(found)
        elif ref.uri not in self._templates:
            raise MCPError(types.INVALID_PARAMS, f"there is no resource template {ref.uri!r}")
        return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))

    def _prompt(self, name: str) -> PromptSpec:
        prompt = self._prompts.get(name)
        if prompt is None:
            known = ", ".join(self._prompts)
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name!r}; there is {known}")
        return prompt


def wire_prompt(prompt: PromptSpec) -> types.Prompt:
    """A prompt as `prompts/list` returns it."""
    arguments = [types.PromptArgument(name=name, description=told) for name, told in prompt.arguments.items()]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)
