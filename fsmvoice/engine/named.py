"""Splitting an event that is a mapping into its name and payload."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def named(event: Mapping[str, Any], payload: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The event's `type`, and its other fields updated with `payload`.

    Raises:
        TypeError: if the event is not a mapping with a `type`.
    """
    given = {**event} if isinstance(event, Mapping) else {}  # pyright: ignore[reportUnnecessaryIsInstance] - users send anything
    name = given.pop("type", None)
    if not isinstance(name, str):
        raise TypeError(f"an event is a name or a mapping with a 'type', not {event!r:.100}")
    return name, {**given, **payload}
