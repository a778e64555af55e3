"""Opening a store for one command, and finding a session in it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from fsmvoice.cli.problem import Failure
from fsmvoice.errors import MissingExtra
from fsmvoice.sessions.open_store import Look, look_at_store, open_store
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import SessionInfo, SessionStore, StoreUnavailable
from fsmvoice.sessions.store_url import without_password

S = TypeVar("S", bound=Look)
T = TypeVar("T")


def look_at(url: str, work: Callable[[Look], Awaitable[T]]) -> T:
    """Do `work` on the store of a URL, which stays as it is. Raises Failure if there is none that can be used."""
    return _done(url, look_at_store, work)


def with_store(url: str, work: Callable[[SessionStore], Awaitable[T]]) -> T:
    """Do `work` that may change the store of a URL. Raises Failure as `look_at` does."""
    return _done(url, open_store, work)


def _done(url: str, opening: Callable[[str], Awaitable[S]], work: Callable[[S], Awaitable[T]]) -> T:
    async def opened() -> T:
        store = await opening(url)
        try:
            return await work(store)
        finally:
            await store.aclose()

    try:
        return asyncio.run(opened())
    except BadStore as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    except (StoreUnavailable, MissingExtra) as error:
        raise Failure(f"--store {without_password(url)}: {error}") from None


async def found(store: Look, session: str) -> SessionInfo:
    """The session whose key starts with `session`.

    Raises:
        Failure: if there is none, or more than one.
    """
    if not re.fullmatch("[0-9a-f]{1,64}", session):
        raise Failure(f"{session!r} is not a session's key; `fsmvoice sessions list` prints the keys")
    # List from just before the first key that can start with `session`.
    before = f"{session[:-1]}{chr(ord(session[-1]) - 1)}~"
    near = [info for info in await store.list(limit=3, after=before) if info.key.startswith(session)]
    if not near:
        hint = "it may have expired; `fsmvoice sessions list` prints the current ones"
        raise Failure(f"there is no session whose key starts with {session!r}; {hint}")
    if len(near) > 1 and near[0].key != session:
        raise Failure(f"more than one session's key starts with {session!r}; write more of it")
    return near[0]
