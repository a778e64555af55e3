"""Opens the socket that a server listens on, before the server announces it."""

from __future__ import annotations

import contextlib
import errno
import socket
from typing import Any, TypeAlias

from fsmvoice.errors import FsmVoiceError

_HOSTS_HINT = "use 127.0.0.1 for this computer only, or 0.0.0.0 for all its addresses"


class CannotListen(FsmVoiceError, OSError):
    """The address can't be listened on. The message says why and what to try."""


def listen(host: str, port: int) -> socket.socket:
    """Listen on `host` and `port`. Port 0 takes any free one.

    Raises:
        CannotListen: if the port is taken (the error suggests a free one), or the host is not this computer's.
    """
    family, kind, protocol, _, address = resolve(host, port)
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(2048)
    except OSError as error:
        opened.close()
        raise CannotListen(_why(error, host, port)) from None
    return opened


_Address: TypeAlias = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


def resolve(host: str, port: int) -> _Address:
    """The address of `host` and `port`, as `socket.getaddrinfo` returns it.

    Raises:
        CannotListen: if there is no such host or port.
    """
    if not 0 <= port <= 65535:
        raise CannotListen(f"there is no port {port}; ports go from 0 to 65535")
    try:
        return socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise CannotListen(f"there is no host {host!r}; {_HOSTS_HINT}") from None


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        free = _free_port(host, port)
        hint = f"try --port {free}, or stop what listens there" if free else "stop what listens there"
        return f"port {port} on {host} is in use; {hint}"
    if error.errno == errno.EACCES:
        return f"port {port} needs privileges that this user lacks; try a port above 1023, such as --port 3100"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this computer; {_HOSTS_HINT}"
    return f"can't listen on {host}, port {port}: {error.strerror or error}"


def _free_port(host: str, port: int) -> int | None:
    """The next free port, None if there is none nearby."""
    for candidate in range(port + 1, min(port + 50, 65535)):
        with contextlib.suppress(OSError), contextlib.closing(socket.socket(_family(host))) as probe:
            probe.bind((host, candidate))
            return candidate
    return None


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
