"""The screen of a machine as an MCP App: one document that shows the results of all its tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fsmvoice.bridge.spec import ResourceSpec, ToolSpec
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import own_tool_name
from fsmvoice.screen.document import APP_MIME, document, settings
from fsmvoice.screen.screen import title_of
from fsmvoice.sessions.keys import CallContext

NOTHING_FROM_OUTSIDE: Mapping[str, Any] = {"ui": {"csp": {}, "prefersBorder": True}}
"""The document's metadata for hosts: it loads nothing from other servers and needs no permission."""


def screen_uri(machine_id: str | None) -> str:
    """The URI of the App. It depends on the machine's id only, because hosts cache it across deployments."""
    name = re.sub(r"[^a-zA-Z0-9_-]+", "-", machine_id or "").strip("-")
    return f"ui://{name or 'fsmvoice'}/screen.html"


def view_settings(chart: Chart, locale: str, *, handles: bool) -> dict[str, Any]:
    """The settings of the machine's view, which don't change from screen to screen."""
    name = chart.config.id
    return settings(
        title=title_of(chart) or "fsmvoice",
        locale=locale,
        status=own_tool_name(name, "status"),
        start_over=own_tool_name(name, "start_over"),
        start_session=own_tool_name(name, "start_session") if handles else None,
        locales=other_locales(chart, locale),
    )


def other_locales(chart: Chart, locale: str) -> tuple[str, ...]:
    """The languages that a machine has texts in, apart from `locale`."""
    locales = chart.behaviour.locales
    return () if locales is None else tuple(tag for tag in locales.tags if tag != locale)


def screen_resource(chart: Chart, locale: str, *, handles: bool) -> ResourceSpec:
    """The App as a resource. It never changes, and is the same for every caller."""
    text = document("app", view_settings(chart, locale, handles=handles))

    async def read(
        ctx: CallContext | None = None,  # noqa: ARG001 - every resource is read alike
        *,
        session: str | None = None,  # noqa: ARG001 - every resource is read alike
    ) -> str:
        return text

    told = "What can be seen and tapped, in a host that shows MCP Apps."
    name = f"{chart.config.id or 'machine'}_screen"
    uri = screen_uri(chart.config.id)
    return ResourceSpec(uri, name, "Screen", told, read, APP_MIME, meta=NOTHING_FROM_OUTSIDE)


def shown_in(tools: Iterable[ToolSpec], uri: str) -> tuple[ToolSpec, ...]:
    """The tools, each with metadata saying that the document at `uri` shows its results."""
    return tuple(replace(tool, meta={**tool.meta, "ui": {"resourceUri": uri}}) for tool in tools)
