"""Whose session a call is for."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.meta import LOCALE_META, MAX_NAME, read_meta

Scope: TypeAlias = Literal["override", "handle", "named", "principal", "client", "local"]


@dataclass(frozen=True, slots=True)
class CallContext:
    """Who calls, as far as the server knows: nothing here is what the caller merely claims, but `meta`.

    Args:
        session_id: the id of the client's own connection, verified, where clients don't share a session.
        principal: whom the caller signed in as.
        locale: the language the caller speaks, as a BCP 47 tag.
        meta: the request's `_meta`.
        other_locales: further languages the caller speaks, the best first.
    """

    session_id: str | None = None
    principal: str | None = None
    locale: str | None = None
    meta: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    other_locales: tuple[str, ...] = ()


def languages_of(ctx: CallContext) -> tuple[str, ...]:
    """The languages of a caller, the best first: what `_meta` says, else what the server was told."""
    told = ctx.meta.get(LOCALE_META)
    if told and isinstance(told, str):
        return (told,)
    return ctx.other_locales if ctx.locale is None else (ctx.locale, *ctx.other_locales)


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Which session, and the name a store keeps it under. `handle` is set where the caller holds one.

    `caller` is a hash of the principal, '' for nobody.
    """

    scope: Scope
    storage: str
    handle: str | None = None
    caller: str = ""


class SessionNotFound(FsmVoiceError, LookupError):
    """No such session; a session of somebody else gets the same answer."""


def session_key(
    ctx: CallContext,
    machine_id: str,
    *,
    handle: object = None,
    handles: bool = False,
    get_session_id: Callable[[CallContext], str | None] | None = None,
) -> SessionKey:
    """The session of a call.

    In this order: what `get_session_id` says; the session named as an argument or in `_meta`: with `handles` one that
    was handed out, else any that the client chooses; the principal; the client's own connection; else the one session
    that all callers share.

    Raises:
        SessionNotFound: if a name was given that can't be one.
        TypeError: if `get_session_id` gave what is not a text.
    """
    if get_session_id is not None and (own := get_session_id(ctx)) is not None:
        return _key("override", ctx.principal, machine_id, _text(own))
    given = handle if handle is not None else read_meta(ctx.meta).session
    if given not in (None, ""):
        if not isinstance(given, str) or len(given) > MAX_NAME:
            raise SessionNotFound
        if handles:
            return handle_key(ctx, machine_id, given)
        return _key("named", ctx.principal, machine_id, given)
    if ctx.principal is not None:
        return _key("principal", ctx.principal, machine_id, "")
    if ctx.session_id is not None:
        return _key("client", ctx.principal, machine_id, ctx.session_id)
    return _key("local", ctx.principal, machine_id, "")


def _text(own: object) -> str:
    if isinstance(own, str):
        return own
    if isinstance(own, Coroutine):
        own.close()
        raise TypeError("get_session_id is async; it should be a plain function that gives a text, or None")
    raise TypeError(f"get_session_id gave {own!r:.60}; it should return a string, or None to leave it to the bridge")


def handle_key(ctx: CallContext, machine_id: str, handle: str) -> SessionKey:
    """The session that this caller opened under `handle`; under another principal it is another, and not there."""
    return _key("handle", ctx.principal, machine_id, handle)


def new_handle() -> str:
    """A handle that nobody guesses: 128 random bits."""
    return secrets.token_urlsafe(16)


@lru_cache(maxsize=1024)
def _key(scope: Scope, principal: str | None, machine_id: str, session: str) -> SessionKey:
    parts = ("" if principal is None else f"+{principal}", machine_id, scope, session)
    text = "".join(f"{len(part)}:{part}" for part in parts)
    storage = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    caller = (
        "" if principal is None else hashlib.sha256(f"caller {principal}".encode(errors="surrogatepass")).hexdigest()
    )
    return SessionKey(scope, storage, session if scope == "handle" else None, caller[:32])
