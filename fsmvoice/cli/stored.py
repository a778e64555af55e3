"""A store at the command line, opened for one command."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

import click

from fsmvoice.cli.problem import Failure, shown
from fsmvoice.errors import MissingExtra
from fsmvoice.sessions.open_store import open_store, without_password
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import SessionInfo, SessionStore, StoreUnavailable

T = TypeVar("T")


def with_store(url: str, work: Callable[[SessionStore], Awaitable[T]]) -> T:
    """Do `work` on the store of a URL. Raises Failure for one that can't be used, or is not there yet."""

    async def opened() -> T:
        store = await open_store(url)
        try:
            return await work(store)
        finally:
            await store.aclose()

    _refuse_what_is_not_there(url)
    try:
        return asyncio.run(opened())
    except BadStore as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    except (StoreUnavailable, MissingExtra) as error:
        raise Failure(f"--store {without_password(url)}: {error}") from None


async def found(store: SessionStore, session: str) -> SessionInfo:
    """The session whose key begins so. Raises Failure where there is none, or more than one."""
    if not re.fullmatch("[0-9a-f]{1,64}", session):
        raise Failure(f"{session!r} is not a session's key; `fsmvoice sessions list` has the keys")
    # Keys that begin with a text come right behind all that are less.
    before = f"{session[:-1]}{chr(ord(session[-1]) - 1)}~"
    near = [info for info in await store.list(limit=3, after=before) if info.key.startswith(session)]
    if not near:
        hint = "it has expired, or was never there; `fsmvoice sessions list` has those there are"
        raise Failure(f"there is no session whose key begins with {session!r}; {hint}")
    if len(near) > 1 and near[0].key != session:
        raise Failure(f"more than one session's key begins with {session!r}; write more of it")
    return near[0]


def _refuse_what_is_not_there(url: str) -> None:
    """Looking at a store makes none."""
    scheme, _, rest = url.partition(":")
    if scheme.lower() == "memory" and rest in ("", "//"):
        raise click.BadParameter(
            "memory: ends with its process, so there is nothing to see in it", param_hint="--store"
        )
    if scheme.lower() == "sqlite" and url.lower().startswith("sqlite:///"):
        path = Path(unquote(urlsplit(url).path)[1:])
        if str(path) != "." and not path.exists():
            raise click.BadParameter(f"there is no file {shown(path)}", param_hint="--store")
