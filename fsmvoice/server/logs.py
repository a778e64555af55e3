"""Log records on stderr, as text or as JSON."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

LogFormat: TypeAlias = Literal["text", "json"]

_OWN: Final = frozenset((*logging.LogRecord("", 0, "", 0, "", None, None).__dict__, "message", "asctime", "taskName"))
"""The attributes of every record. All others were added by `extra=` of the logging call."""
_WEB: Final = ("uvicorn", "uvicorn.error", "uvicorn.access")


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object on one line, with its extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        told.update((name, value) for name, value in record.__dict__.items() if name not in _OWN)
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """Formats a record as one line, followed by its extra fields."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        fields = [f"{name}={value}" for name, value in record.__dict__.items() if name not in _OWN]
        line = " ".join((super().formatMessage(record), *fields))
        # What an exception says of itself may be what somebody sent, and must not look like other records.
        return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in line)


def write_logs(form: LogFormat, level: int = logging.INFO) -> None:
    """Write this package's records from `level` on, and warnings of all other loggers, to stderr only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("fsmvoice").setLevel(level)
    for name in _WEB:
        web = logging.getLogger(name)
        web.handlers.clear()
        web.propagate = True
