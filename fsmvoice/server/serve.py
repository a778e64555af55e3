"""`serve`: a machine on this computer, until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.machine.actor import ConfigLike
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.server.announce import announcement, url_of
from fsmvoice.server.hosts import is_loopback
from fsmvoice.server.http import SharedOrNot, asgi
from fsmvoice.server.listen import CannotListen, listen, resolve
from fsmvoice.server.stdio import serve_stdio
from fsmvoice.sessions.store import SessionStore

GRACE = 3
"""Seconds that calls in progress may take to finish when the server is stopped."""


def serve(
    machine_or_bridge: type[VoiceMachine[Any]] | ConfigLike | FsmMcpBridge,
    *,
    host: str = "127.0.0.1",
    port: int = 3100,
    path: str = "/mcp",
    stdio: bool = False,
    stateless: bool = False,
    sessions: SharedOrNot = "shared",
    allowed_hosts: Sequence[str] = (),
    insecure: bool = False,
    store: SessionStore | None = None,
    ui: bool = True,
    quiet: bool = False,
) -> None:
    """Serve a machine as MCP tools until Ctrl-C, SIGTERM or, over stdio, until the host closes the pipe.

    Args:
        machine_or_bridge: a `VoiceMachine` subclass, a config without functions, or a bridge made with options.
        port: 0 takes any free port.
        stdio: speak over standard input and output instead of HTTP.
        stateless: keep no protocol sessions.
        sessions: whether all callers share one conversation, or each connection has its own.
        allowed_hosts: names besides this computer's own under which clients reach the server.
        insecure: listen beyond this computer although nobody has to sign in.
        store: where conversations are kept; in memory by default.
        ui: serve the page at `/` too, where a person sees and taps what others say; beyond this computer there is none.
        quiet: don't say on stderr where the server is and how to try it.

    Raises:
        DefinitionError: with everything that is wrong with the machine.
        CannotListen: if the address is not free, not this computer's, or open to all without `insecure`.
        ValueError: for options that contradict each other.
    """
    if isinstance(machine_or_bridge, FsmMcpBridge):
        if store is not None:
            raise ValueError("the bridge has its store already; give it to create_fsm_mcp_bridge(store=...)")
        bridge = machine_or_bridge
    else:
        bridge = create_fsm_mcp_bridge(machine_or_bridge, store=store)
    if stdio:
        with _stoppable():
            serve_stdio(bridge)
        return
    resolve(host, port)
    if not is_loopback(host) and not insecure:
        raise CannotListen(
            f"{host} can be reached from other computers, and nobody has to sign in: anyone could call the tools. "
            "Use 127.0.0.1, or say insecure=True (--insecure) where a gateway in front checks who calls"
        )
    reached = allowed_hosts if host in ("0.0.0.0", "::", "") else [*allowed_hosts, host]  # noqa: S104 - compared, not bound
    ui = ui and is_loopback(host) and path != "/"
    app = asgi(bridge, path=path, stateless=stateless, sessions=sessions, allowed_hosts=reached, ui=ui)
    listening = listen(host, port)
    with listening:
        if not quiet:
            url = url_of(host, int(listening.getsockname()[1]), path)
            page = url.removesuffix(path) + "/" if ui else None
            beyond = not is_loopback(host)
            told = announcement(bridge, url, sessions=sessions, in_memory=store is None, beyond=beyond, page=page)
            sys.stderr.write(told)
            sys.stderr.flush()
        config = uvicorn.Config(
            app,
            lifespan="on",
            ws="none",
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=GRACE,
        )
        logging.getLogger("uvicorn.error").addFilter(_unless_stopping)
        with _stoppable():
            uvicorn.Server(config).run(sockets=[listening])


@contextmanager
def _stoppable() -> Generator[None]:
    """Make Ctrl-C and SIGTERM a clean end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _unless_stopping(record: logging.LogRecord) -> bool:
    """Leave out what uvicorn reports as an error, with a traceback, of each call and stream that a stop cuts short."""
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cancelled and "returned without completing response" not in record.getMessage()
