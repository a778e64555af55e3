"""What a caller asks of a turn beside its work."""

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
    """How often, and at which revision only, the work may be done.

    Attributes:
        id: under one id the work is done once; the next time, what was said is said again.
        sent: a digest of what was sent, to tell a repeated request from another under the same id.
        expected: the only revision at which it is to be done.
        say: puts an outcome into the words that are kept for the next time; it is called with `news=` where something
            happened that nobody has heard of yet.
    """

    id: str | None = None
    sent: str = ""
    expected: int | None = None
    say: Callable[..., str] = _nothing


PLAIN = Request()


def digest_of(event: str, arguments: Any) -> str:
    """What was sent, as a short text that is equal for equal JSON."""
    try:
        text = json.dumps([event, arguments], sort_keys=True, separators=(",", ":"), default=str)
    except TypeError:  # keys that JSON has none of, from a program in this process
        text = repr([event, arguments])
    except (ValueError, RecursionError):  # deeper or longer than anything that is taken: it is refused for that
        text = event
    return hashlib.sha256(text.encode()).hexdigest()


def call_key(run: str, what: str) -> str:
    """An idempotency key: the same for the same thing in the same life of a session, and guessed by nobody."""
    return hashlib.sha256(f"{run}\n{what}".encode(errors="surrogatepass")).hexdigest()[:32]
