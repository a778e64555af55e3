"""`FsmMcpBridge`: a machine as MCP tools and resources, for use with any server or none."""

from __future__ import annotations

import difflib
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast

from fsmvoice.bridge.calls import Calls
from fsmvoice.bridge.client import Client
from fsmvoice.bridge.prompts import build_prompts
from fsmvoice.bridge.resources import build_resources
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.screens import screen_resource, shown_in
from fsmvoice.bridge.spec import PromptSpec, ResourceSpec, ToolReply, ToolSpec, UnknownResource
from fsmvoice.bridge.tools import build_tools, session_argument, spoken_tools
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import DefinitionError, DefinitionWarning, FsmVoiceError, Problem, ReasonCode
from fsmvoice.machine.actor import ConfigLike, compile_config
from fsmvoice.machine.keywords import doubt_locale
from fsmvoice.machine.place import here
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.behaviour import Function, InState
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import own_tool_name
from fsmvoice.model.versions import Migration
from fsmvoice.sessions.keys import CallContext, SessionKey, SessionNotFound
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.sealing import Keys
from fsmvoice.sessions.store import SessionStore
from fsmvoice.sessions.turn import SETTLE, Sessions
from fsmvoice.voice.heard import Asked
from fsmvoice.voice.locales import check_locales
from fsmvoice.voice.reply import Describe, Speech, make_speech
from fsmvoice.voice.wording import wording


class CallFailed(FsmVoiceError):
    """A session could not be read or started over. `reason` is the code; the message can be spoken."""

    def __init__(self, message: str, reason: ReasonCode) -> None:
        self.reason = reason
        super().__init__(message)


class FsmMcpBridge:
    """The tools, resources and sessions of one machine. Created by `create_fsm_mcp_bridge`.

    Attributes:
        tools: a constant list: the spoken events in declaration order, then status, start over, and start session.
        resources: those with `{session}` in their URI are templates.
        prompts: the MCP prompts, by which a user asks what can be done.
        instructions: the MCP server instructions.
    """

    chart: Chart
    tools: tuple[ToolSpec, ...]
    resources: tuple[ResourceSpec, ...]
    prompts: tuple[PromptSpec, ...]
    instructions: str
    state_resource_uri: str | None

    def __init__(
        self,
        chart: Chart,
        calls: Calls,
        *,
        tools: Sequence[ToolSpec],
        resources: Sequence[ResourceSpec],
        prompts: Sequence[PromptSpec] = (),
        instructions: str,
        state_resource_uri: str | None,
    ) -> None:
        self.chart, self.tools, self.resources = chart, tuple(tools), tuple(resources)
        self.prompts = tuple(prompts)
        self.instructions, self.state_resource_uri = instructions, state_resource_uri
        self._calls = calls
        self._tools: Mapping[str, ToolSpec] = {tool.name: tool for tool in self.tools}

    def __repr__(self) -> str:
        return f"<FsmMcpBridge of {self.chart.name}: {len(self.tools)} tools>"

    @property
    def machine_id(self) -> str | None:
        return self.chart.config.id

    @property
    def locale(self) -> str:
        """The default language."""
        return self._calls.speech.phrases.tag

    @property
    def handles(self) -> bool:
        """Whether callers may open sessions of their own."""
        return own_tool_name(self.machine_id, "start_session") in self._tools

    @property
    def store(self) -> SessionStore:
        """The store of its sessions."""
        return self._calls.sessions.store

    async def begin(self) -> None:
        """Start the background work on sessions: due timers, and services and effects of processes that have died.

        The servers in `fsmvoice.server` call this; otherwise the first call of a tool does.
        """
        self._calls.sessions.begin()
        await self._calls.without_keys()

    async def aclose(self, grace: float = 2.0) -> None:
        """Stop the background work. What is running has `grace` seconds to finish. The store stays open."""
        await self._calls.sessions.aclose(grace)

    def tool(self, name: str) -> ToolSpec | None:
        """The tool of this name, or None."""
        return self._tools.get(name)

    def nearest_tool(self, name: str) -> str | None:
        """The tool name closest to `name`, for error messages."""
        close = difflib.get_close_matches(name, self._tools, n=1, cutoff=0.5)
        return close[0] if close else None

    async def call(
        self, name: str, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Call a tool by name. A call of an unknown tool is refused."""
        tool = self._tools.get(name)
        if tool is None:
            return reply(self._calls.speech.failure("refused"), reason="no-transition")
        return await tool.handler(arguments, ctx, client)

    async def read(self, uri: str, ctx: CallContext | None = None) -> str:
        """Read a resource by its URI.

        Raises:
            UnknownResource: if there is no such resource, or its session is not the caller's.
        """
        resource, session = self._resource(uri)
        return await resource.read(ctx, session=session)

    def has_resource(self, uri: str) -> bool:
        """Whether there is a resource `uri`, whether or not the caller may read it."""
        try:
            self._resource(uri)
        except UnknownResource:
            return False
        return True

    async def watch(self, uri: str, changed: Callable[[], None], ctx: CallContext | None = None) -> Callable[[], None]:
        """Call `changed`, which must not block, after each change of a resource. Returns a function that stops this.

        Raises:
            UnknownResource: if there is no such resource, or its session is not the caller's.
        """
        resource, session = self._resource(uri)
        return _never if resource.watch is None else await resource.watch(changed, ctx, session=session)

    def _resource(self, uri: str) -> tuple[ResourceSpec, str | None]:
        """The resource of a URI, and the session named in the URI."""
        for resource in self.resources:
            if not resource.is_template:
                if resource.uri == uri:
                    return resource, None
                continue
            head, _, tail = resource.uri.partition("{session}")
            session = uri[len(head) : len(uri) - len(tail)]
            if uri == f"{head}{session}{tail}" and session and "/" not in session:
                return resource, session
        raise UnknownResource(f"there is no resource {uri!r}")

    async def get_snapshot(self, ctx: CallContext | None = None) -> Snapshot[Any]:
        """The last committed snapshot of the caller's session. It does not wait for running calls.

        Raises:
            CallFailed: if there is no such session, or it can't be started.
        """
        snapshot = await self._calls.look(self._key(ctx))
        if isinstance(snapshot, Snapshot):
            return snapshot
        raise self._failure(*snapshot)

    async def not_heard(self, ctx: CallContext | None = None, asked: Asked | None = None) -> str:
        """What to say when `hear` recognized nothing: that, and the open question or the status. Nothing changes.

        After the second failure in a row the state's later prompts are said; from the third on, starting over is
        offered.

        Args:
            asked: the open question, if any.
        """
        return await self._calls.not_heard(ctx, asked)

    async def reset(self, ctx: CallContext | None = None) -> Outcome[Any]:
        """Start the caller's session over.

        Raises:
            CallFailed: if there is no such session, or its start fails; nothing has changed then.
        """
        turn = await self._calls.reset(self._key(ctx))
        if turn.outcome is None:
            raise self._failure(turn.reason or "action-failed", turn.refusal)
        return turn.outcome

    def _key(self, ctx: CallContext | None) -> SessionKey:
        try:
            return self._calls.key(ctx)
        except SessionNotFound:
            raise self._failure("session-not-found") from None

    def _failure(self, reason: ReasonCode, refusal: Report | None = None) -> CallFailed:
        return CallFailed(self._calls.speech.failure(reason, refusal), reason)


def _checked(store: Any) -> SessionStore:
    """Refuse what is to be opened first."""
    if isinstance(store, str) or inspect.iscoroutine(store):
        if inspect.iscoroutine(store):
            store.close()
        told = "a text" if isinstance(store, str) else "a coroutine"
        raise TypeError(f"the store is {told}; give an open one: store=await open_store('sqlite:///sessions.db')")
    return cast("SessionStore", store)


def _never() -> None:
    """Stop watching a resource that never changes."""


def create_fsm_mcp_bridge(
    machine_or_config: type[VoiceMachine[Any]] | ConfigLike,
    *,
    actions: Mapping[str, Function] | None = None,
    guards: Mapping[str, Function | InState] | None = None,
    services: Mapping[str, Function] | None = None,
    delays: Mapping[str, Any] | None = None,
    effects: Mapping[str, Function] | None = None,
    event_schemas: Mapping[str, type[Any]] | None = None,
    get_session_id: Callable[[CallContext], str | None] | None = None,
    tool_name: Callable[[str], str] | None = None,
    describe_tool: Callable[[str, Sequence[str]], str] | None = None,
    describe_state: Describe | None = None,
    state_resource_uri: str | None = "fsm://state",
    handles: bool = False,
    store: SessionStore | None = None,
    locale: str | None = None,
    locales: str | Path | None = None,
    tool_timeout: float = 30.0,
    settle: float = SETTLE,
    migrations: Iterable[Migration] | None = None,
    audit: Literal["hash", "full"] = "hash",
    screen: bool = True,
    keys: Keys | None = None,
) -> FsmMcpBridge:
    """Create the MCP tools and resources of a machine class or a config.

    Args:
        machine_or_config: a `VoiceMachine` subclass, or a config as for `create_fsm_actor`.
        actions: a config's functions by name, as for `create_fsm_actor`; likewise the next four.
        event_schemas: for events of a config, the pydantic models of their payloads.
        get_session_id: returns the session of a call; None leaves that to the bridge.
        tool_name: returns the name of an event's tool, instead of `<id>_<event>`.
        describe_tool: returns the description of an event's tool, given the event and the paths of its states.
        describe_state: describes a snapshot, instead of its states' prompts.
        state_resource_uri: the URI of the resource with the caller's state; None for no such resource.
        handles: whether callers may open sessions of their own, and name them in each call.
        store: the store of sessions. Defaults to memory.
        locale: the language for callers whose languages the machine does not have. Defaults to the machine's own.
        locales: a config's folder with texts in other languages, as for `create_fsm_actor`.
        tool_timeout: the time limit of an event, and of waiting for other calls on the session, in seconds.
        settle: how long a reply waits for services that its event has started, in seconds.
        migrations: for a config, functions that upgrade sessions stored by earlier versions.
        audit: whether a session's history keeps a hash of payloads, or all of their public content.
        screen: whether hosts that support MCP Apps are given one.
        keys: the keys for confirmation tokens and session handles. Defaults to the environment's `FSMVOICE_KEYS`, or
            else to keys in the store. Use `SealKeys(secret)` for others.

    Raises:
        DefinitionError: listing everything that is wrong with the machine, its functions or its tool names.
        BadKeys: if the keys in the environment are invalid.
    """
    functions = {
        "actions": actions,
        "guards": guards,
        "services": services,
        "delays": delays,
        "effects": effects,
        "event_schemas": event_schemas,
        "migrations": migrations,
    }
    chart = _chart_of(machine_or_config, functions, locale, locales)
    place = here()
    for doubt in check_locales(chart):
        warnings.warn_explicit(f"{chart.name}: {doubt}", DefinitionWarning, place.filename, place.line)
    speech = _speech_of(chart, locale, describe_state)
    names = spoken_tools(chart, tool_name)
    sessions = Sessions(
        chart,
        MemoryStore() if store is None else _checked(store),
        timeout=tool_timeout,
        settle=settle,
        audit=audit == "full",
    )
    calls = Calls(sessions, speech, names, handles=handles, get_session_id=get_session_id, keys=keys)
    tools = build_tools(chart, calls, names, speech.phrases, describe=describe_tool, handles=handles)
    resources = build_resources(chart, calls, state_resource_uri, handles=handles)
    if screen:
        app = screen_resource(chart, speech.phrases.tag, handles=handles)
        tools, resources = shown_in(tools, app.uri), (*resources, app)
    return FsmMcpBridge(
        chart,
        calls,
        tools=tools,
        resources=resources,
        prompts=build_prompts(chart, calls, session_argument(handles=handles)),
        instructions=speech.phrases.instructions(" ".join((chart.config.description or "").split())),
        state_resource_uri=state_resource_uri,
    )


def _chart_of(
    machine_or_config: type[VoiceMachine[Any]] | ConfigLike,
    functions: Mapping[str, Any],
    locale: str | None,
    locales: str | Path | None,
) -> Chart:
    if isinstance(machine_or_config, VoiceMachine):
        name = type(cast("object", machine_or_config)).__name__
        hint = f"pass the class {name}: the bridge makes an instance for each session"
        raise DefinitionError(name, [Problem("", "is an instance", hint)])
    if not isinstance(machine_or_config, type):
        return compile_config(machine_or_config, locale=locale, locales=locales, **functions)
    name = machine_or_config.__name__
    if not issubclass(machine_or_config, VoiceMachine):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass any class
        raise DefinitionError(name, [Problem("", "is not a machine", "give a subclass of VoiceMachine, or a config")])
    if locales is not None:
        hint = "its texts are in the folder locales beside its file"
        raise DefinitionError(name, [Problem("", "is a class, so it takes no locales", hint)])
    given = [key for key, value in functions.items() if value is not None]
    if given:
        hint = "its own methods are its functions, and their signatures its schemas"
        raise DefinitionError(name, [Problem("", f"is a class, so it takes no {key}", hint) for key in given])
    doubt_locale(locale, here(), name)
    return machine_or_config.chart


def _speech_of(chart: Chart, locale: str | None, describe: Describe | None) -> Speech:
    own = chart.behaviour.speak
    if locale is None and describe is None and isinstance(own, Speech):
        return own
    if locale is not None and isinstance(own, Speech):
        register = wording(chart, locale).register
        return make_speech(f"{locale}-x-{register}" if register else locale, describe)
    return make_speech(locale or (own.phrases.tag if isinstance(own, Speech) else None), describe)
