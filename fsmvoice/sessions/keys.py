"""Determines which session a call is for."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.meta import LOCALE_META, MAX_NAME, SESSION_META

Scope: TypeAlias = Literal["override", "handle", "named", "principal", "client", "local"]


@dataclass(frozen=True, slots=True)
class CallContext:
    """The caller, as far as the server knows. Everything but the languages and `meta` has been verified.

    Args:
        session_id: the id of the client's connection, if connections have sessions of their own.
        principal: who the caller signed in as.
        locale: the caller's preferred language, as a BCP 47 tag.
        meta: the request's `_meta`.
        other_locales: further languages of the caller, preferred first.
    """

    session_id: str | None = None
    principal: str | None = None
    locale: str | None = None
    meta: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    other_locales: tuple[str, ...] = ()


def languages_of(ctx: CallContext) -> tuple[str, ...]:
    """The caller's languages, preferred first: from `_meta`, else from the context."""
    told = ctx.meta.get(LOCALE_META)
    if told and isinstance(told, str):
        return (told,)
    return ctx.other_locales if ctx.locale is None else (ctx.locale, *ctx.other_locales)


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Identifies a session.

    Attributes:
        scope: how the session was chosen.
        storage: the key under which a store keeps it.
        handle: the handle by which the caller named it, if any.
        caller: a hash of the principal, '' if nobody signed in.
    """

    scope: Scope
    storage: str
    handle: str | None = None
    caller: str = ""


class SessionNotFound(FsmVoiceError, LookupError):
    """The session doesn't exist, or belongs to another caller, who must not be told apart."""


def session_key(
    ctx: CallContext,
    machine_id: str,
    *,
    handle: object = None,
    handles: bool = False,
    get_session_id: Callable[[CallContext], str | None] | None = None,
) -> SessionKey:
    """The session of a call.

    The first of these that is known: the result of `get_session_id`; the session named as an argument or in `_meta`,
    which with `handles` must have been handed out; the principal; the client's connection; else the one session that
    all callers share.

    Raises:
        SessionNotFound: if the given session can't be a name of one.
        TypeError: if `get_session_id` returned something other than a string or None.
    """
    if get_session_id is not None and (own := get_session_id(ctx)) is not None:
        return _key("override", ctx.principal, machine_id, _text(own))
    given = handle if handle is not None else ctx.meta.get(SESSION_META)
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
        raise TypeError("get_session_id is async; it should be a plain function that returns a string or None")
    raise TypeError(f"get_session_id gave {own!r:.60}; it should return a string, or None for the default session")


def handle_key(ctx: CallContext, machine_id: str, handle: str) -> SessionKey:
    """The session that this caller opened as `handle`. Under another principal it is a different, unknown session."""
    return _key("handle", ctx.principal, machine_id, handle)


def new_handle() -> str:
    """An unguessable handle: 128 random bits."""
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
