"""What a caller asks of a turn besides its work: that it is done once, and at which revision."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fsmvoice.engine.outcome import Outcome


def _nothing(_outcome: Outcome[Any], **_: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Request:
    """The conditions under which a turn does its work.

    Attributes:
        id: the work is done once for each id. A repeated request gets the same answer.
        sent: a digest of what was sent, to tell a repeated request from another one with the same id.
        expected: the only revision at which the work may be done.
        say: puts an outcome into the words that are kept for repeated requests. Called with `news=` if something
            happened that nobody has heard of yet.
    """

    id: str | None = None
    sent: str = ""
    expected: int | None = None
    say: Callable[..., str] = _nothing


PLAIN = Request()


def digest_of(event: str, arguments: Any) -> str:
    """A digest of what was sent, which is equal for equal JSON."""
    try:
        text = json.dumps([event, arguments], sort_keys=True, separators=(",", ":"), default=str)
    except TypeError:  # keys that JSON doesn't have, from a caller in this process
        text = repr([event, arguments])
    except (ValueError, RecursionError):  # too deep or too long, for which the call will be refused
        text = event
    return hashlib.sha256(text.encode()).hexdigest()


def call_key(run: str, what: str) -> str:
    """An idempotency key: unguessable, and the same for the same `what` in the same run of a session."""
    return hashlib.sha256(f"{run}\n{what}".encode(errors="surrogatepass")).hexdigest()[:32]
