"""The reason codes of calls that fail."""

from __future__ import annotations

import logging
from typing import NamedTuple

from fsmvoice.engine.report import Report
from fsmvoice.errors import ReasonCode, Refuse, RestoreError
from fsmvoice.sessions.keys import SessionNotFound
from fsmvoice.sessions.queues import Busy
from fsmvoice.sessions.store import CommitUnknown, LimitExceeded, StoreUnavailable

logger: logging.Logger = logging.getLogger("fsmvoice")


class SessionExpired(SessionNotFound):
    """The session existed, but was not used for too long."""


class StartRefused(Refuse):
    """The machine refused to start. `report` has its words and the context."""

    report: Report

    def __init__(self, report: Report) -> None:
        super().__init__(report.refusal or "")
        self.report = report


class Failed(NamedTuple):
    """Why a call has no outcome. `refusal` is set if the machine refused to start."""

    reason: ReasonCode
    refusal: Report | None = None


def failed_of(error: Exception) -> Failed:
    """Why a call that raised `error` has no outcome."""
    return Failed(reason_of(error), error.report if isinstance(error, StartRefused) else None)


def reason_of(error: Exception) -> ReasonCode:
    """The reason code for an exception of a call. Exceptions other than refusals are logged."""
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
            logger.error("it is unknown whether a commit happened: %s", error)
            return "unknown-outcome"
        case _:
            logger.error("a call failed and changed nothing", exc_info=error)
            return "action-failed"
