"""`serve`: runs a machine as an MCP server until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.machine.actor import ConfigLike
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.server.announce import announcement, url_of
from fsmvoice.server.hosts import is_loopback
from fsmvoice.server.http import SharedOrNot, asgi
from fsmvoice.server.listen import CannotListen, listen, resolve
from fsmvoice.server.logs import LogFormat, write_logs
from fsmvoice.server.oauth import OAuth
from fsmvoice.server.stdio import serve_stdio
from fsmvoice.server.stopping import Stopping
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.open_store import open_store
from fsmvoice.sessions.store import SessionStore

GRACE = 5.0
"""Seconds for calls in progress to finish when the server is stopped."""
CUT_SHORT = 1
"""Seconds for cancelled calls to end after that."""


def serve(
    machine_or_bridge: type[VoiceMachine[Any]] | ConfigLike | FsmMcpBridge,
    *,
    host: str = "127.0.0.1",
    port: int = 3100,
    path: str = "/mcp",
    stdio: bool = False,
    stateless: bool | None = None,
    sessions: SharedOrNot = "shared",
    allowed_hosts: Sequence[str] = (),
    insecure: bool = False,
    auth: OAuth | AuthSettings | None = None,
    token_verifier: TokenVerifier | None = None,
    store: SessionStore | str | None = None,
    close_store: bool = False,
    grace: float = GRACE,
    drain: float = 0.0,
    log_format: LogFormat | None = None,
    log_level: int = logging.INFO,
    ui: bool = True,
    quiet: bool = False,
) -> None:
    """Serve a machine as MCP tools until Ctrl-C, SIGTERM or, over stdio, until the host closes the pipe.

    Args:
        machine_or_bridge: a `VoiceMachine` subclass, a config without functions, or a bridge made with options.
        port: 0 takes any free port.
        stdio: speak over standard input and output instead of HTTP.
        stateless: keep no protocol sessions; the default with `auth` and with a PostgreSQL store.
        sessions: whether all callers share one conversation, or each connection has its own.
        allowed_hosts: host names, besides this computer's own, under which clients reach the server.
        insecure: allow other computers to connect without signing in.
        auth: let only callers with a valid token in. Like `token_verifier`, it works as in `asgi`.
        store: where conversations are kept, as an object or a URL; in memory by default.
        close_store: close the store at the end. One given as a URL is always closed.
        grace: seconds for calls in progress to finish when the server is stopped. A second signal ends them at once.
        drain: seconds before that in which calls are still answered, while `/readyz` says to send no more.
        log_format: write log records to stderr, as `text` or `json` lines; by default logging is left as it is set up.
        log_level: the lowest level of this package's records to write. Each call is logged at `INFO`.
        ui: also serve a page at `/` that shows the conversation and can be tapped. On loopback addresses only.
        quiet: don't print the server's address and how to try it.

    Raises:
        DefinitionError: with everything that is wrong with the machine.
        CannotListen: if the address is taken, not this computer's, or open to others without `auth` or `insecure`.
        StoreUnavailable: if the store can't be reached.
        ValueError: if options contradict each other.
    """
    for name, seconds in (("grace", grace), ("drain", drain)):
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"{name} is {seconds:g}; it should be a number of seconds, 0 or more")
    if isinstance(store, str):
        store, close_store = asyncio.run(open_store(store)), True
    bridge = _bridge_of(machine_or_bridge, store)
    if stdio:
        with _stoppable():
            if log_format is not None:
                write_logs(log_format, log_level)
            serve_stdio(bridge, close_store=close_store)
        return
    resolve(host, port)
    is_open = not is_loopback(host) and auth is None
    if is_open and not insecure:
        raise CannotListen(
            f"{host} can be reached from other computers without signing in, so anyone could call the tools. "
            "Use 127.0.0.1, have users sign in with auth=OAuth(...) (--auth), or use insecure=True (--insecure) if a "
            "gateway in front authenticates callers"
        )
    reached = allowed_hosts if host in ("0.0.0.0", "::", "") else [*allowed_hosts, host]  # noqa: S104 - compared, not bound
    ui = ui and is_loopback(host) and path != "/" and auth is None
    app = asgi(
        bridge,
        path=path,
        stateless=stateless,
        sessions=sessions,
        allowed_hosts=reached,
        auth=auth,
        token_verifier=token_verifier,
        ui=ui,
    )
    with listen(host, port) as listening:
        if not quiet:
            url = url_of(host, int(listening.getsockname()[1]), path)
            told = announcement(
                bridge,
                url,
                sessions=sessions,
                in_memory=isinstance(bridge.store, MemoryStore),
                beyond=is_open,
                page=url.removesuffix(path) + "/" if ui else None,
                issuer=None if auth is None else _issuer(auth),
            )
            sys.stderr.write(told)
            sys.stderr.flush()
        config = uvicorn.Config(
            app,
            lifespan="on",
            ws="none",
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=CUT_SHORT,
        )
        if log_format is not None:  # after the config, which sets up uvicorn's own logging
            write_logs(log_format, log_level)
        logging.getLogger("uvicorn.error").addFilter(_unless_stopping)
        last = partial(_end, bridge, grace, close_store)
        with _stoppable():
            Stopping(config, app.state.health, drain=drain, grace=grace, last=last).run(sockets=[listening])


def _bridge_of(
    machine_or_bridge: type[VoiceMachine[Any]] | ConfigLike | FsmMcpBridge, store: SessionStore | None
) -> FsmMcpBridge:
    if not isinstance(machine_or_bridge, FsmMcpBridge):
        return create_fsm_mcp_bridge(machine_or_bridge, store=store)
    if store is not None:
        raise ValueError("the bridge already has a store; give yours to create_fsm_mcp_bridge(store=...)")
    return machine_or_bridge


async def _end(bridge: FsmMcpBridge, grace: float, close_store: bool) -> None:
    await bridge.aclose(min(grace, CUT_SHORT))
    if close_store:
        await bridge.store.aclose()


def _issuer(auth: OAuth | AuthSettings) -> str:
    return auth.issuer if isinstance(auth, OAuth) else str(auth.issuer_url)


@contextmanager
def _stoppable() -> Generator[None]:
    """End the block cleanly on Ctrl-C and SIGTERM."""
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
    """Drop the errors that uvicorn logs, with a traceback, for each call and stream that a stop cancels."""
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cancelled and "returned without completing response" not in record.getMessage()
