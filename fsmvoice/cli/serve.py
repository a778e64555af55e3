"""`fsmvoice serve`: a machine as an MCP server."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Literal

import click
from click.core import ParameterSource

from fsmvoice.cli.behaviour import BEHAVIOUR_HELP
from fsmvoice.cli.problem import NoAddress
from fsmvoice.cli.reload import supervise, watched
from fsmvoice.cli.target import load_target
from fsmvoice.server.listen import CannotListen
from fsmvoice.server.serve import serve as serve_bridge
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.store import SessionStore


@click.command(
    epilog="""\b
Examples:
  fsmvoice serve coffee.py
  fsmvoice serve coffee.py:Coffee --port 8000 --reload
  fsmvoice serve coffee.json --behaviour coffee_functions.py
  fsmvoice serve coffee.py --stdio
  fsmvoice serve coffee.py --host 0.0.0.0 --insecure --allowed-host voice.example.com
""",
)
@click.argument("target")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=3100, show_default=True, help="0 takes any free port.")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output instead of HTTP.")
@click.option("--stateless", is_flag=True, help="Keep no protocol sessions, for servers behind a load balancer.")
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
@click.option("--store", default="memory:", show_default=True, metavar="URL", help="Where conversations are kept.")
@click.option("--insecure", is_flag=True, help="Listen beyond this computer although nobody has to sign in.")
@click.option("--ui/--no-ui", default=True, help="Serve a page at / to watch and to tap, on this computer alone.")
@click.option("--reload", "reloads", is_flag=True, help="Start again when the target changes. Conversations are lost.")
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
    insecure: bool,
    ui: bool,
    reloads: bool,
    behaviour: Path | None,
) -> None:
    """Serve TARGET as MCP tools, until Ctrl-C."""
    kept = _store(store)
    if stdio:
        _refuse_with_stdio(context)
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
        bridge = load_target(target, behaviour).bridge(kept)
    try:
        serve_bridge(
            bridge,
            host=host,
            port=port,
            stdio=stdio,
            stateless=stateless,
            sessions=sessions,
            allowed_hosts=allowed_hosts,
            insecure=insecure,
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


def _store(url: str) -> SessionStore:
    if url in ("memory:", "memory"):
        return MemoryStore()
    raise click.BadParameter(f"there is no store {url!r}; there is memory:", param_hint="--store")
