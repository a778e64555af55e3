"""The documents shown in a browser: the same file for every machine, with its settings inserted."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from fsmvoice.screen.words import words_for

APP_MIME = "text/html;profile=mcp-app"
"""The MIME type by which hosts recognize an MCP App."""

_SETTINGS = '<script type="application/json" id="settings">{}</script>'
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def settings(
    *,
    title: str,
    locale: str,
    status: str,
    start_over: str,
    start_session: str | None = None,
    locales: Iterable[str] = (),
) -> dict[str, Any]:
    """What a view needs to know about a machine besides its screens: its title, and the tools that are not events.

    Args:
        status: the name of the status tool; likewise `start_over` and `start_session`.
        locales: further languages of the machine, for hosts that tell the user's language.
    """
    found: dict[str, Any] = {
        "title": title,
        "lang": locale,
        "status": status,
        "startOver": start_over,
        "handles": start_session is not None,
        "words": dict(words_for(locale)),
        "others": {tag: dict(words_for(tag)) for tag in locales},
    }
    return found if start_session is None else {**found, "startSession": start_session}


def document(name: Literal["app", "page"], told: Mapping[str, Any]) -> str:
    """The MCP App or the page, with its settings."""
    text = _built(name).replace(_SETTINGS, _SETTINGS.replace("{}", _inert(told)))
    title, lang = html.escape(str(told["title"])), html.escape(str(told["lang"]))
    return text.replace('<html lang="en">', f'<html lang="{lang}">').replace("<title>fsmvoice<", f"<title>{title}<")


def _inert(told: Mapping[str, Any]) -> str:
    """JSON escaped so that it can't end the HTML element around it."""
    return json.dumps(told, ensure_ascii=False).translate(_ESCAPES)


@cache
def _built(name: str) -> str:
    return Path(__file__).with_name(f"{name}.html").read_text(encoding="utf-8")
