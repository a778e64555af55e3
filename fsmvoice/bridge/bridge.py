"""A machine as MCP tools and resources, usable with any server, or without one."""

from __future__ import annotations

import difflib
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
    """A session could not be read or started over. `reason` says why; the message is fit to be spoken."""

    def __init__(self, message: str, reason: ReasonCode) -> None:
        self.reason = reason
        super().__init__(message)


class FsmMcpBridge:
    """The tools and resources of one machine, and its sessions. Made by `create_fsm_mcp_bridge`.

    Attributes:
        tools: constant, in a fixed order: the spoken events as declared, then status, start over, start session.
        resources: what can be read; those with `{session}` in their URI are templates.
        prompts: what a person can pick to hear what can be done.
        instructions: what a host should know before it calls anything.
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
        """The language of the framework's own words."""
        return self._calls.speech.phrases.tag

    @property
    def handles(self) -> bool:
        """Whether callers may open sessions of their own."""
        return own_tool_name(self.machine_id, "start_session") in self._tools

    @property
    def store(self) -> SessionStore:
        """Where its sessions are kept."""
        return self._calls.sessions.store

    async def begin(self) -> None:
        """Look after sessions from now on, though nobody calls: timers that fall due, services and effects left behind
        by a process that is gone. The servers of `fsmvoice.server` do this; a call does it too.
        """
        self._calls.sessions.begin()
        await self._calls.without_keys()

    async def aclose(self, grace: float = 2.0) -> None:
        """Stop looking after sessions; what runs may finish for `grace` seconds. The store stays open."""
        await self._calls.sessions.aclose(grace)

    def tool(self, name: str) -> ToolSpec | None:
        """The tool of that name."""
        return self._tools.get(name)

    def nearest_tool(self, name: str) -> str | None:
        """The tool whose name is most like `name`, for an error message."""
        close = difflib.get_close_matches(name, self._tools, n=1, cutoff=0.5)
        return close[0] if close else None

    async def call(
        self, name: str, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Call a tool by its name. An unknown one is a refusal that changes nothing."""
        tool = self._tools.get(name)
        if tool is None:
            return reply(self._calls.speech.failure("refused"), reason="no-transition")
        return await tool.handler(arguments, ctx, client)

    async def read(self, uri: str, ctx: CallContext | None = None) -> str:
        """Read a resource by its URI.

        Raises:
            UnknownResource: if there is none, or its session is not the caller's.
        """
        resource, session = self._resource(uri)
        return await resource.read(ctx, session=session)

    def has_resource(self, uri: str) -> bool:
        """Whether `uri` is one of the resources, whoever may read it."""
        try:
            self._resource(uri)
        except UnknownResource:
            return False
        return True

    async def watch(self, uri: str, changed: Callable[[], None], ctx: CallContext | None = None) -> Callable[[], None]:
        """Have `changed` called after each change of a resource, at once; it must not wait. Returns what ends that.

        Raises:
            UnknownResource: if there is none, or its session is not the caller's.
        """
        resource, session = self._resource(uri)
        return _never if resource.watch is None else await resource.watch(changed, ctx, session=session)

    def _resource(self, uri: str) -> tuple[ResourceSpec, str | None]:
        """The resource of a URI, and the session that the URI names."""
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
        """Where the caller's session stands. Waits for no call that is running.

        Raises:
            CallFailed: if there is no such session, or it can't be started.
        """
        snapshot = await self._calls.look(self._key(ctx))
        if isinstance(snapshot, Snapshot):
            return snapshot
        raise self._failure(*snapshot)

    async def not_heard(self, ctx: CallContext | None = None, asked: Asked | None = None) -> str:
        """What to say where `hear` found nothing in somebody's words: that, and what was asked or can be done.

        From the second time in a row the state's later prompts are said, from the third the way out. Nothing changes.

        Args:
            asked: the question that is open.
        """
        return await self._calls.not_heard(ctx, asked)

    async def reset(self, ctx: CallContext | None = None) -> Outcome[Any]:
        """Start the caller's session over, as its tool does.

        Raises:
            CallFailed: if there is no such session, or its start fails; it is where it was then.
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


def _never() -> None:
    """Ends the watch of what never changes."""


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
    """Make the MCP tools and resources of a machine class or a config.

    Args:
        machine_or_config: a `VoiceMachine` subclass, or what `create_fsm_actor` takes.
        actions: a config's functions by name, as for `create_fsm_actor`; so are the four after it.
        event_schemas: for an event of a config, the pydantic model of what it carries.
        get_session_id: whose session a call is for; None leaves that to the bridge.
        tool_name: the name of an event's tool, in place of `<id>_<event>`.
        describe_tool: the description of an event's tool, from the event and the paths of the states that take it.
        describe_state: says where a snapshot stands, in place of its states' prompts.
        state_resource_uri: where the caller's state is read; None for nowhere.
        handles: whether callers may open sessions of their own, and name them in each call.
        store: where sessions are kept; in memory by default.
        locale: the language for callers that name none the machine speaks; the machine's by default.
        locales: a config's folder with its texts in other languages, as for `create_fsm_actor`.
        tool_timeout: seconds that an event may take, and that a call waits for its turn.
        settle: seconds that a reply waits for services that its event has started, to tell what they found.
        migrations: for a config, what turns stored sessions of its earlier versions into those of this one.
        audit: whether a session's history keeps a hash of what events carried, or all of it that is not private.
        screen: whether hosts that show MCP Apps get one, in which a person taps what others say.
        keys: what seals the tokens of confirmations and makes handles; by default `FSMVOICE_KEYS` of the environment,
            or the store's, which all processes share that share the store. `SealKeys(secret)` gives others.

    Raises:
        DefinitionError: with everything that is wrong with the machine, its functions or its tool names.
        BadKeys: for keys in the environment that can't be.
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
        chart, MemoryStore() if store is None else store, timeout=tool_timeout, settle=settle, audit=audit == "full"
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
        hint = f"give the class, {name}: the bridge makes a machine for each session"
        raise DefinitionError(name, [Problem("", "is an instance", hint)])
    if not isinstance(machine_or_config, type):
        return compile_config(machine_or_config, locale=locale, locales=locales, **functions)
    name = machine_or_config.__name__
    if not issubclass(machine_or_config, VoiceMachine):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass any class
        raise DefinitionError(name, [Problem("", "is not a machine", "give a subclass of VoiceMachine, or a config")])
    if locales is not None:
        hint = "the folder locales beside its file is where they are"
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
