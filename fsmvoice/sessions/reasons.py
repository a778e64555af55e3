"""What a call failed with, as a code."""

from __future__ import annotations

import logging

from fsmvoice.errors import ReasonCode, Refuse, RestoreError
from fsmvoice.sessions.keys import SessionNotFound
from fsmvoice.sessions.queues import Busy
from fsmvoice.sessions.store import CommitUnknown, LimitExceeded, StoreUnavailable

logger: logging.Logger = logging.getLogger("fsmvoice")


class SessionExpired(SessionNotFound):
    """The session was there, and was not used for too long."""


def reason_of(error: Exception) -> ReasonCode:
    """The code for what a call failed with; an error that is nobody's refusal is logged."""
    match error:
        case Busy():
            return "busy"
        case TimeoutError():
            return "action-timeout"
        case Refuse():
            return "refused"
        case SessionExpired():
            return "session-expired"
        case SessionNotFound():
            return "session-not-found"
        case LimitExceeded():
            logger.warning("a call was refused: %s", error)
            return "limit-exceeded"
        case RestoreError():
            logger.error("a session can't be used: %s", error)
            return "definition-mismatch"
        case StoreUnavailable():
            logger.error("the store failed, and nothing was changed: %s", error)
            return "store-unavailable"
        case CommitUnknown():
            logger.error("nobody knows whether a commit happened: %s", error)
            return "unknown-outcome"
        case _:
            logger.error("a call failed and changed nothing", exc_info=error)
            return "action-failed"
