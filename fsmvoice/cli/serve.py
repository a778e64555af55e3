"""`fsmvoice serve`: a machine as an MCP server."""

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
from fsmvoice.cli.behaviour import BEHAVIOUR_HELP
from fsmvoice.cli.problem import Failure, NoAddress
from fsmvoice.cli.reload import supervise, watched
from fsmvoice.cli.target import Target, load_target
from fsmvoice.errors import MissingExtra
from fsmvoice.server.listen import CannotListen
from fsmvoice.server.oauth import OAuth
from fsmvoice.server.serve import GRACE
from fsmvoice.server.serve import serve as serve_bridge
from fsmvoice.sessions.open_store import open_store, without_password
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import SessionStore, StoreUnavailable
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
@click.option("--stdio", is_flag=True, help="Speak over standard input and output instead of HTTP.")
@click.option(
    "--stateless",
    is_flag=True,
    help="Keep no protocol sessions, for servers behind a load balancer. The default with --auth and PostgreSQL.",
)
@click.option(
    "--sessions",
    type=click.Choice(["shared", "per-client"]),
    default="shared",
    show_default=True,
    help="Whether all callers share one conversation, or each connection has its own. Clients of protocol 2026-07-28 "
    "have no connection: those that name no session in _meta share one even with per-client.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name under which clients reach the server, as in https://NAME/mcp. May be repeated.",
)
@click.option(
    "--store",
    default="memory:",
    show_default=True,
    metavar="URL",
    envvar="FSMVOICE_STORE",
    show_envvar=True,
    help="Where conversations are kept: memory:, sqlite:///FILE or postgresql://USER@HOST/DATABASE.",
)
@click.option(
    "--auth",
    metavar="SETTINGS",
    help="Let in only who has signed in: issuer=URL,audience=NAME, and if need be jwks_uri=URL, public_key=FILE, "
    "required_scopes=A+B, service_scopes=C, resource=URL, leeway=SECONDS.",
)
@click.option("--bare-401", is_flag=True, help="With --auth: answer 401 without WWW-Authenticate, as Alexa+ wants it.")
@click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    default=GRACE,
    show_default=True,
    help="Seconds that calls in progress may take to finish when the server is stopped.",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 3600),
    default=0.0,
    show_default=True,
    help="Seconds before that in which it goes on, while /readyz says that it should get no more calls.",
)
@click.option(
    "--log-format", type=click.Choice(["text", "json"]), help="Write a log record of each call to stderr, one a line."
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="The least that is written; info, if there is a --log-format.",
)
@click.option("--insecure", is_flag=True, help="Listen beyond this computer although nobody has to sign in.")
@click.option("--ui/--no-ui", default=True, help="Serve a page at / to watch and to tap, on this computer alone.")
@click.option(
    "--reload", "reloads", is_flag=True, help="Start again when the target changes. Conversations in memory are lost."
)
@click.option(
    "--behaviour",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=BEHAVIOUR_HELP,
)
@click.pass_context
def serve(  # noqa: PLR0917 - click gives each option by its name
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
    """Serve TARGET as MCP tools, until Ctrl-C."""
    if stdio:
        _refuse_with_stdio(context)
    signs_in = _auth(auth, bare_401=bare_401)
    if stateless and sessions == "per-client":
        raise click.UsageError(
            "--stateless does not go with --sessions per-client: without protocol sessions no connection can have a "
            "conversation of its own; leave out one of them"
        )
    if reloads:
        if not watched(target, behaviour):
            load_target(target, behaviour)
        sys.exit(supervise(target, behaviour))
    # Over stdio, stdout is the protocol's alone: what a target prints when it is imported goes to stderr.
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


_OF_HTTP = {
    "host": "it listens nowhere",
    "port": "it listens nowhere",
    "allowed_hosts": "it listens nowhere",
    "insecure": "it listens nowhere",
    "auth": "whoever starts it is who calls",
    "bare_401": "whoever starts it is who calls",
    "grace": "it ends with its host",
    "drain": "it ends with its host",
    "ui": "it listens nowhere",
    "stateless": "a pipe has one client",
    "sessions": "a pipe has one client",
    "reloads": "a host that started a server holds its pipe",
}


def _refuse_with_stdio(context: click.Context) -> None:
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in _OF_HTTP:
            raise click.UsageError(f"{option.opts[0]} does not go with --stdio: {_OF_HTTP[option.name]}")


def _refuse_with_bridge(context: click.Context, target: Target) -> None:
    """A bridge has its store already; nobody shall believe that conversations are kept which are not."""
    if not isinstance(target.machine, FsmMcpBridge):
        return
    source = context.get_parameter_source("store")
    hint = "give it one where it is made: create_fsm_mcp_bridge(..., store=...)"
    if source is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"{target.name} is a bridge, which has its store: it takes no --store; {hint}")
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
            raise click.UsageError("--bare-401 is about who has not signed in, and goes with --auth only")
        return None
    try:
        return OAuth.parse(text, bare_401=bare_401)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--auth") from None
