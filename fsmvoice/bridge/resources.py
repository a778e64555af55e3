"""The MCP resources of a machine: the state of a session, and the config."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from fsmvoice.bridge.calls import Calls
from fsmvoice.bridge.result import json_text, state_json
from fsmvoice.bridge.spec import ResourceSpec, ResourceUnavailable, UnknownResource
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionKey, SessionNotFound
from fsmvoice.sessions.turn import Failed

SESSION_STATE = "fsm://sessions/{session}/state"


def build_resources(chart: Chart, calls: Calls, state_uri: str | None, *, handles: bool) -> tuple[ResourceSpec, ...]:
    """The caller's state at `state_uri`, the config beside it and, with handles, a template for any session's state."""
    name = chart.config.id or "machine"
    found: list[ResourceSpec] = []

    async def state(ctx: CallContext | None = None, *, session: str | None = None) -> str:
        return await _state_of(calls, ctx, session)

    async def watch(
        changed: Callable[[], None], ctx: CallContext | None = None, *, session: str | None = None
    ) -> Callable[[], None]:
        key = _key(calls, ctx, session)
        snapshot = await calls.look(key)
        if not isinstance(snapshot, Snapshot):
            raise _failure(calls, ctx, snapshot)
        return calls.listen(key, changed)

    async def config(
        ctx: CallContext | None = None,  # noqa: ARG001 - every resource is read alike
        *,
        session: str | None = None,  # noqa: ARG001 - every resource is read alike
    ) -> str:
        return json_text(public_config(chart))

    if state_uri is not None:
        told = "Where the conversation stands, what it knows, and what can be done now."
        found.append(ResourceSpec(state_uri, f"{name}_state", "State", told, state, watch=watch))
        told = "The machine as data: its states, transitions and texts."
        found.append(ResourceSpec(_beside(state_uri, "config"), f"{name}_config", "Machine", told, config))
    if handles:
        told = "Where the conversation of one session stands."
        uri = SESSION_STATE if state_uri is None else _beside(state_uri, "sessions/{session}/state")
        title = "State of a session"
        found.append(ResourceSpec(uri, f"{name}_session_state", title, told, state, watch=watch))
    return tuple(found)


async def _state_of(calls: Calls, ctx: CallContext | None, session: str | None) -> str:
    snapshot = await calls.look(_key(calls, ctx, session))
    if isinstance(snapshot, Snapshot):
        return json_text(state_json(snapshot, calls.speech_for(ctx).phrases.tag))
    raise _failure(calls, ctx, snapshot)


def _failure(calls: Calls, ctx: CallContext | None, failed: Failed) -> UnknownResource:
    kind = UnknownResource if failed[0] in ("session-not-found", "session-expired") else ResourceUnavailable
    return kind(calls.speech_for(ctx).failure(*failed))


def _key(calls: Calls, ctx: CallContext | None, session: str | None) -> SessionKey:
    try:
        return calls.key(ctx, session)
    except SessionNotFound:
        raise UnknownResource(calls.speech_for(ctx).failure("session-not-found")) from None


def public_config(chart: Chart) -> dict[str, Any]:
    """The config without the private fields of its initial context."""
    data = chart.config.to_dict()
    private = chart.behaviour.context.private
    context = cast("Mapping[str, Any]", data.get("context") or {})
    if private and context:
        data["context"] = {name: value for name, value in context.items() if name not in private}
    return data


def _beside(uri: str, name: str) -> str:
    """The URI of `name` next to the state's: `fsm://state` gives `fsm://config`, `fsm://shop` `fsm://shop/config`."""
    head, slash, last = uri.rpartition("/")
    return f"{head}{slash}{name}" if last == "state" else f"{uri}/{name}"
