"""Messages for `Suspended`: what has to wait, and which call to await instead."""

from __future__ import annotations

from fsmvoice.errors import Suspended
from fsmvoice.model.naming import snake_case


def suspended(error: Suspended, machine: object, what: str, call: str) -> Suspended:
    """`error` with a message about a machine.

    Args:
        what: the event, or other operation.
        call: the call that performs it, such as "place(...)".
    """
    why = f"{error.name!r} of {what} has to wait for what is not ready yet" if error.name else _reason(error)
    name = snake_case(type(machine).__name__).strip("_") or "machine"
    return Suspended(f"{why}; use `await {name}.{call}`", name=error.name)


def suspended_start(error: Suspended, kind: type) -> Suspended:
    """`error` with a message about a machine of class `kind` whose start has to wait."""
    name = kind.__name__
    return Suspended(f"{name} has to wait while it starts; use `await {name}.started()`", name=error.name)


def _reason(error: Suspended) -> str:
    return str(error).partition("; ")[0]
