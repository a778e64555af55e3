"""State machines that speak: one Python class becomes MCP tools, their replies, tests and stored sessions.

Importing this package loads neither mcp nor starlette; serving a machine is in `fsmvoice.server`. Names that only a
server, store or importer needs are loaded on first use, so that a plain machine starts fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock, SimulatedClock
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.verdicts import Blocked
from fsmvoice.errors import (
    ActionFailed,
    DefinitionError,
    DefinitionWarning,
    DrawingFailed,
    FsmVoiceError,
    MissingExtra,
    NotAllowed,
    ReentrancyError,
    Refuse,
    RestoreError,
    RunawayError,
    ServiceFailed,
    Suspended,
    UnknownName,
)
from fsmvoice.machine.actor import create_fsm_actor
from fsmvoice.machine.effects import effect
from fsmvoice.machine.guards import forbid, guard
from fsmvoice.machine.hooks import after, always, invoke, on_done, on_enter, on_exit
from fsmvoice.machine.spoken import spoken
from fsmvoice.machine.states import ANY, Compound, History, Parallel, State
from fsmvoice.machine.transitions import transition
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.behaviour import InState
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.context import ContextError
from fsmvoice.model.events import collect_event_types
from fsmvoice.model.imported import Imported
from fsmvoice.model.money import Money
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import InvalidPayload
from fsmvoice.model.private import Private
from fsmvoice.model.values import Values
from fsmvoice.model.versions import migration

if TYPE_CHECKING:
    from fsmvoice.bridge.bridge import CallFailed, FsmMcpBridge, create_fsm_mcp_bridge
    from fsmvoice.bridge.spec import ToolReply, UnknownResource
    from fsmvoice.exporters.dot import to_dot
    from fsmvoice.exporters.mermaid import to_mermaid
    from fsmvoice.exporters.svg import to_svg
    from fsmvoice.exporters.xstate import to_xstate
    from fsmvoice.importers.load import load
    from fsmvoice.importers.status_graph import fsm_from_status_graph
    from fsmvoice.sessions.keys import CallContext
    from fsmvoice.sessions.memory import MemoryStore
    from fsmvoice.sessions.open_store import open_store
    from fsmvoice.sessions.postgres import PostgresStore
    from fsmvoice.sessions.sealing import SealKeys
    from fsmvoice.sessions.sqlite import SqliteStore
    from fsmvoice.sessions.sqlite_schema import BadStore
    from fsmvoice.sessions.store import CommitUnknown, Limits, SessionStore, StoreFull, StoreUnavailable
    from fsmvoice.sessions.stored_keys import BadKeys
    from fsmvoice.voice.heard import Ambiguous, Asked, Match, NoMatch
    from fsmvoice.voice.match import hear
else:
    _LATER = {
        "Ambiguous": "fsmvoice.voice.heard",
        "Asked": "fsmvoice.voice.heard",
        "BadKeys": "fsmvoice.sessions.stored_keys",
        "BadStore": "fsmvoice.sessions.sqlite_schema",
        "CommitUnknown": "fsmvoice.sessions.store",
        "CallContext": "fsmvoice.sessions.keys",
        "CallFailed": "fsmvoice.bridge.bridge",
        "FsmMcpBridge": "fsmvoice.bridge.bridge",
        "Limits": "fsmvoice.sessions.store",
        "Match": "fsmvoice.voice.heard",
        "MemoryStore": "fsmvoice.sessions.memory",
        "NoMatch": "fsmvoice.voice.heard",
        "SealKeys": "fsmvoice.sessions.sealing",
        "SessionStore": "fsmvoice.sessions.store",
        "PostgresStore": "fsmvoice.sessions.postgres",
        "SqliteStore": "fsmvoice.sessions.sqlite",
        "StoreFull": "fsmvoice.sessions.store",
        "StoreUnavailable": "fsmvoice.sessions.store",
        "ToolReply": "fsmvoice.bridge.spec",
        "UnknownResource": "fsmvoice.bridge.spec",
        "create_fsm_mcp_bridge": "fsmvoice.bridge.bridge",
        "fsm_from_status_graph": "fsmvoice.importers.status_graph",
        "hear": "fsmvoice.voice.match",
        "load": "fsmvoice.importers.load",
        "open_store": "fsmvoice.sessions.open_store",
        "to_dot": "fsmvoice.exporters.dot",
        "to_mermaid": "fsmvoice.exporters.mermaid",
        "to_svg": "fsmvoice.exporters.svg",
        "to_xstate": "fsmvoice.exporters.xstate",
    }

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_LATER[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "ANY",
    "ActionFailed",
    "Ambiguous",
    "Asked",
    "BadKeys",
    "BadStore",
    "Blocked",
    "CallContext",
    "CallFailed",
    "Clock",
    "CommitUnknown",
    "Compound",
    "ContextError",
    "DefinitionError",
    "DefinitionWarning",
    "DrawingFailed",
    "FsmActor",
    "FsmConfig",
    "FsmMcpBridge",
    "FsmVoiceError",
    "History",
    "Imported",
    "InState",
    "InvalidPayload",
    "Limits",
    "Match",
    "MemoryStore",
    "MissingExtra",
    "Money",
    "NoMatch",
    "NotAllowed",
    "Outcome",
    "Parallel",
    "PostgresStore",
    "Private",
    "ReentrancyError",
    "Refuse",
    "RestoreError",
    "RunawayError",
    "SealKeys",
    "ServiceFailed",
    "SessionStore",
    "SimulatedClock",
    "Snapshot",
    "SqliteStore",
    "State",
    "StoreFull",
    "StoreUnavailable",
    "Suspended",
    "ToolReply",
    "UnknownName",
    "UnknownResource",
    "Values",
    "VoiceMachine",
    "after",
    "always",
    "collect_event_types",
    "create_fsm_actor",
    "create_fsm_mcp_bridge",
    "effect",
    "forbid",
    "fsm_from_status_graph",
    "guard",
    "hear",
    "invoke",
    "load",
    "migration",
    "on_done",
    "on_enter",
    "on_exit",
    "open_store",
    "parse_config",
    "spoken",
    "to_dot",
    "to_mermaid",
    "to_svg",
    "to_xstate",
    "transition",
]
