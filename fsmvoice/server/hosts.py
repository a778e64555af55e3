"""Checks the Host and Origin of requests, so that a web page can't reach a local server by DNS rebinding."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ANY = "*"
MAX_MET = 64
"""The number of allowed Host headers that are remembered, with their ports."""


class Hosts:
    """The hosts that a server answers to: those of this computer, and `allowed`. `*` turns the check off.

    Raises:
        ValueError: if an allowed name is empty.
    """

    names: tuple[str, ...]
    checked: bool
    settings: TransportSecuritySettings

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self.names = tuple(dict.fromkeys((*LOOPBACK, *(_name(host) for host in allowed))))
        self.checked = ANY not in self.names
        ported = [form for name in self.names for form in ((name,) if _has_port(name) else (name, f"{name}:*"))]
        self._met: set[str] = set()
        self.settings = TransportSecuritySettings(
            enable_dns_rebinding_protection=self.checked,
            allowed_hosts=ported,
            allowed_origins=[f"{scheme}://{form}" for form in ported for scheme in ("http", "https")],
        )

    def allows_host(self, host: str) -> bool:
        return not self.checked or host in self._met or self._meet(host)

    def _meet(self, host: str) -> bool:
        allowed = _matches(host.lower(), self.settings.allowed_hosts)
        if allowed and len(self._met) < MAX_MET:
            self._met.add(host)
        return allowed

    def allows_origin(self, origin: str) -> bool:
        return not self.checked or not origin or _matches(origin.lower(), self.settings.allowed_origins)


class HostCheck:
    """Refuses requests for other hosts, and says why and how to allow them, which the SDK's own check doesn't."""

    app: ASGIApp
    hosts: Hosts

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = origin = ""
        for name, value in scope["headers"]:
            if name == b"host" and not host:
                host = value.decode("latin-1")
            elif name == b"origin" and self.hosts.allows_origin(origin):  # of several, the first that is not allowed
                origin = value.decode("latin-1")
        if not self.hosts.allows_host(host):
            await _refusal(421, "host", host)(scope, receive, send)
        elif not self.hosts.allows_origin(origin):
            await _refusal(403, "origin", origin)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _refusal(status: int, what: str, value: str) -> PlainTextResponse:
    shown = re.sub(r"[^\w.:\[\]/-]", "?", value)[:200]
    name = re.sub(r":\d+$", "", _bare(shown)) or "NAME"
    return PlainTextResponse(
        f"This server does not answer to the {what} {shown!r}. If it should, start it with --allowed-host {name} "
        f"(in Python: allowed_hosts=[{name!r}]).\n",
        status_code=status,
    )


def _matches(value: str, allowed: Sequence[str]) -> bool:
    name, _, port = value.rpartition(":")
    return value in allowed or (port.isascii() and port.isdecimal() and f"{name}:*" in allowed)


def _name(host: str) -> str:
    """An allowed host, in the form of a Host header."""
    name = _bare(host).lower()
    if not name:
        raise ValueError(f"the allowed host {host!r} names no host; give a name such as voice.example.com")
    return name


def _bare(host: str) -> str:
    """A host without the scheme and path that people may write with it."""
    bare = re.sub(r"^\w+://", "", host.strip()).partition("/")[0]
    return f"[{bare}]" if bare.count(":") > 1 and not bare.startswith("[") else bare


def _has_port(name: str) -> bool:
    return bool(re.search(r":\d+$", name))
