"""`fsmvoice serve`: serve a machine over MCP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.problem import Failure, NoAddress
from fsmvoice.cli.reload import supervise, watched
from fsmvoice.cli.target import Target, load_target
from fsmvoice.errors import MissingExtra
from fsmvoice.server.listen import CannotListen
from fsmvoice.server.oauth import OAuth
from fsmvoice.server.serve import GRACE
from fsmvoice.server.serve import serve as serve_bridge
from fsmvoice.sessions.open_store import open_store
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import SessionStore, StoreUnavailable
from fsmvoice.sessions.store_url import without_password
from fsmvoice.sessions.stored_keys import BadKeys


@click.command(
    epilog="""\b
Examples:
  fsmvoice serve coffee.py
  fsmvoice serve coffee.py:Coffee --port 8000 --reload
  fsmvoice serve coffee.json --behaviour coffee_functions.py
  fsmvoice serve coffee.py --stdio
  fsmvoice serve coffee.py --store sqlite:///sessions.db
  fsmvoice serve coffee.py --host 0.0.0.0 --allowed-host voice.example.com --auth \\
      issuer=https://auth.example.com,audience=https://voice.example.com/mcp
""",
)
@click.argument("target")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=3100, show_default=True, help="0 takes any free port.")
@click.option("--stdio", is_flag=True, help="Use standard input and output instead of HTTP.")
@click.option(
    "--stateless",
    is_flag=True,
    help="Use no MCP sessions, for servers behind a load balancer. The default with --auth and a PostgreSQL store.",
)
@click.option(
    "--sessions",
    type=click.Choice(["shared", "per-client"]),
    default="shared",
    show_default=True,
    help="Whether all callers share one conversation, or each connection has its own. Clients of protocol 2026-07-28 "
    "have no connections, so with per-client they still share one unless they name a session in _meta.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="A further host name of the server, as in https://NAME/mcp. May be repeated.",
)
@click.option(
    "--store",
    default="memory:",
    show_default=True,
    metavar="URL",
    envvar="FSMVOICE_STORE",
    show_envvar=True,
    help="The store of conversations: memory:, sqlite:///FILE or postgresql://USER@HOST/DATABASE.",
)
@click.option(
    "--auth",
    metavar="SETTINGS",
    help="Require signed tokens: issuer=URL,audience=NAME, and optionally jwks_uri=URL, public_key=FILE, "
    "required_scopes=A+B, service_scopes=C, resource=URL, leeway=SECONDS.",
)
@click.option("--bare-401", is_flag=True, help="With --auth: send 401 without WWW-Authenticate, as Alexa+ requires.")
@click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    default=GRACE,
    show_default=True,
    help="Seconds that calls in progress have to finish when the server is stopped.",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 3600),
    default=0.0,
    show_default=True,
    help="Seconds before --grace in which the server still takes calls, while /readyz reports that it is stopping.",
)
@click.option("--log-format", type=click.Choice(["text", "json"]), help="Write a log record for each call to stderr.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The lowest level to log. Defaults to info if --log-format is given.",
)
@click.option("--insecure", is_flag=True, help="Allow listening on other addresses than loopback without --auth.")
@click.option("--ui/--no-ui", default=True, help="Serve a web page at /, reachable from this computer only.")
@click.option(
    "--reload", "reloads", is_flag=True, help="Restart when the target changes. Conversations in memory are lost."
)
@behaviour_option()
@click.pass_context
def serve(  # noqa: PLR0917 - click passes options by name
    context: click.Context,
    target: str,
    host: str,
    port: int,
    stdio: bool,
    stateless: bool,
    sessions: Literal["shared", "per-client"],
    allowed_hosts: tuple[str, ...],
    store: str,
    auth: str | None,
    bare_401: bool,
    grace: float,
    drain: float,
    log_format: Literal["text", "json"] | None,
    log_level: str | None,
    insecure: bool,
    ui: bool,
    reloads: bool,
    behaviour: Path | None,
) -> None:
    """Serve TARGET as MCP tools, until Ctrl-C.

    The MCP endpoint is http://HOST:PORT/mcp, and there is a web page at http://HOST:PORT/.
    """
    if stdio:
        _refuse_with_stdio(context)
    signs_in = _auth(auth, bare_401=bare_401)
    if stateless and sessions == "per-client":
        raise click.UsageError(
            "--stateless can't be combined with --sessions per-client: without MCP sessions a connection can't have a "
            "conversation of its own"
        )
    if reloads:
        if not watched(target, behaviour):
            load_target(target, behaviour)
        sys.exit(supervise(target, behaviour))
    # Over stdio, stdout carries the protocol, so what a target prints while it is imported is sent to stderr.
    with contextlib.redirect_stdout(sys.stderr) if stdio else contextlib.nullcontext():
        loaded = load_target(target, behaviour)
        _refuse_with_bridge(context, loaded)
        kept = _store(store)
        try:
            bridge = loaded.bridge(kept)
        except BadKeys as error:
            raise Failure(str(error)) from None
    try:
        serve_bridge(
            bridge,
            host=host,
            port=port,
            stdio=stdio,
            stateless=stateless or None,
            sessions=sessions,
            allowed_hosts=allowed_hosts,
            insecure=insecure,
            auth=signs_in,
            close_store=True,
            grace=grace,
            drain=drain,
            log_format=log_format or ("text" if log_level else None),
            log_level=getattr(logging, (log_level or "info").upper()),
            ui=ui,
        )
    except CannotListen as error:
        raise NoAddress(str(error)) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None


_NO_ADDRESS = "it listens on no address"
_OWN_USER = "the caller is the user who started it"
_OF_HTTP = {
    "host": _NO_ADDRESS,
    "port": _NO_ADDRESS,
    "allowed_hosts": _NO_ADDRESS,
    "insecure": _NO_ADDRESS,
    "ui": _NO_ADDRESS,
    "auth": _OWN_USER,
    "bare_401": _OWN_USER,
    "grace": "it ends with its host",
    "drain": "it ends with its host",
    "stateless": "it has one client",
    "sessions": "it has one client",
    "reloads": "the host can't reconnect to a restarted server",
}
"""The options that have no meaning with --stdio, and why."""


def _refuse_with_stdio(context: click.Context) -> None:
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in _OF_HTTP:
            raise click.UsageError(f"{option.opts[0]} can't be combined with --stdio: {_OF_HTTP[option.name]}")


def _refuse_with_bridge(context: click.Context, target: Target) -> None:
    """Refuse a store for a bridge, which already has one, so that nobody wrongly believes conversations are stored."""
    if not isinstance(target.machine, FsmMcpBridge):
        return
    source = context.get_parameter_source("store")
    hint = "pass one where it is created: create_fsm_mcp_bridge(..., store=...)"
    if source is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"{target.name} is a bridge, which has its own store, so it takes no --store; {hint}")
    if source is ParameterSource.ENVIRONMENT and target.machine.store.instant:
        raise click.UsageError(f"FSMVOICE_STORE is set, but the bridge {target.name} stores in memory; {hint}")


def _store(url: str) -> SessionStore:
    try:
        return asyncio.run(open_store(url))
    except BadStore as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    except (StoreUnavailable, MissingExtra) as error:
        raise Failure(f"--store {without_password(url)}: {error}") from None


def _auth(text: str | None, *, bare_401: bool) -> OAuth | None:
    if text is None:
        if bare_401:
            raise click.UsageError("--bare-401 needs --auth")
        return None
    try:
        return OAuth.parse(text, bare_401=bare_401)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--auth") from None
