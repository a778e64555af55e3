"""State machines that speak: one Python class becomes MCP tools, their replies, tests and stored sessions.

Importing this package loads neither mcp nor starlette; `fsmvoice.server` holds what serves a machine.
"""

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import (
    ActionFailed,
    DefinitionError,
    DefinitionWarning,
    FsmVoiceError,
    NotAllowed,
    NotSupported,
    Refuse,
    RestoreError,
    Suspended,
)
from fsmvoice.machine.actor import create_fsm_actor
from fsmvoice.machine.effects import effect
from fsmvoice.machine.guards import forbid, guard
from fsmvoice.machine.hooks import after, always, invoke, on_done, on_enter, on_exit
from fsmvoice.machine.spoken import spoken
from fsmvoice.machine.states import ANY, Compound, History, Parallel, State
from fsmvoice.machine.transitions import transition
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.context import Private

__all__ = [
    "ANY",
    "ActionFailed",
    "Compound",
    "DefinitionError",
    "DefinitionWarning",
    "FsmActor",
    "FsmConfig",
    "FsmVoiceError",
    "History",
    "NotAllowed",
    "NotSupported",
    "Outcome",
    "Parallel",
    "Private",
    "Refuse",
    "RestoreError",
    "Snapshot",
    "State",
    "Suspended",
    "VoiceMachine",
    "after",
    "always",
    "create_fsm_actor",
    "effect",
    "forbid",
    "guard",
    "invoke",
    "on_done",
    "on_enter",
    "on_exit",
    "spoken",
    "transition",
]
