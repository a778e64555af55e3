"""Log records on stderr: one a line, whatever is in them."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

from fsmvoice.server.logs import JsonLines, TextLines


def record(message: str, error: Exception | None = None) -> logging.LogRecord:
    caught: Any = None
    try:
        if error is not None:
            raise error
    except Exception:  # noqa: BLE001, RUF100 - so that it has a traceback
        caught = sys.exc_info()
    made = logging.LogRecord("fsmvoice", logging.ERROR, __file__, 1, message, (), caught)
    made.session = "12d7"
    return made


def test_a_text_record_is_a_line_with_its_fields() -> None:
    (line,) = TextLines().format(record("a caf\u00e9 failed\n2026-01-01 INFO forged\x1b[2J")).splitlines()
    assert line.endswith(" ERROR   fsmvoice: a caf\u00e9 failed\\n2026-01-01 INFO forged\\x1b[2J session=12d7")


def test_a_traceback_comes_behind_it() -> None:
    first, *rest = TextLines().format(record("it failed", ValueError("no"))).splitlines()
    assert first.endswith("it failed session=12d7")
    assert rest[0].startswith("Traceback")
    assert rest[-1] == "ValueError: no"


def test_a_json_record_is_a_line_with_everything() -> None:
    (line,) = JsonLines().format(record("it\nfailed", ValueError("no"))).splitlines()
    told = json.loads(line)
    assert (told["level"], told["message"], told["session"]) == ("error", "it\nfailed", "12d7")
    assert told["exception"].endswith("ValueError: no")
