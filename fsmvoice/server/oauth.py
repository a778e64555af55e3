"""Settings for the access tokens that a server accepts: their issuer, audience and scopes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fsmvoice.errors import did_you_mean
from fsmvoice.server.hosts import is_loopback

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""The signature algorithms with public keys. The one that a token names must also fit the key."""

_EXAMPLE = "issuer=https://auth.example.com,audience=https://voice.example.com/mcp"


@dataclass(frozen=True, slots=True)
class OAuth:
    """Settings for access tokens that are signed JWTs, issued elsewhere: for `serve(auth=...)` and `asgi(auth=...)`.

    Args:
        issuer: the authorization server, exactly as in a token's `iss`.
        audience: what tokens for this server name in `aud`.
        jwks_uri: the URL of the issuer's keys; by default taken from its metadata (RFC 8414, OpenID Connect).
        public_key: a file with the key instead, as PEM or a JWK set. Nothing is fetched then.
        required_scopes: the scopes that a user's token must have, all of them.
        service_scopes: the scopes with which a token without a user may initialize and list, as hosts do with a token
            of their own (client credentials). Calling a tool needs a user's token.
        resource: this server's public URL, such as `https://voice.example.com/mcp`, published together with the issuer
            (RFC 9728); by default the audience, if that is a URL.
        leeway: seconds by which clocks may differ.
        bare_401: send a 401 without the `WWW-Authenticate` header, as Alexa+ requires.

    Raises:
        ValueError: with everything that is wrong.
    """

    issuer: str
    audience: str
    jwks_uri: str | None = None
    public_key: Path | str | None = None
    required_scopes: Sequence[str] = ()
    service_scopes: Sequence[str] = ()
    resource: str | None = None
    leeway: float = 30.0
    bare_401: bool = False

    def __post_init__(self) -> None:
        wrong = [*self._wrong_urls()]
        if not self.audience:
            wrong.append("audience is empty; it should be what tokens for this server name in aud")
        if self.jwks_uri is not None and self.public_key is not None:
            wrong.append("jwks_uri and public_key both say where the key is; leave one out")
        texts = [name for name in ("required_scopes", "service_scopes") if isinstance(getattr(self, name), str)]
        wrong += [f"{name} is a string; it should be a list of scopes" for name in texts]
        if self.service_scopes and not self.required_scopes:
            wrong.append("service_scopes without required_scopes: a user's token could not be told from the host's own")
        if not 0 <= self.leeway <= 300:
            wrong.append(f"leeway is {self.leeway:g}; it should be 0 to 300 seconds")
        if wrong:
            raise ValueError("; ".join(wrong))

    @property
    def public_url(self) -> str | None:
        """The URL under which clients know this server, if it is known."""
        return self.resource or (self.audience if urlsplit(self.audience).scheme in ("http", "https") else None)

    @classmethod
    def parse(cls, text: str, *, bare_401: bool = False) -> OAuth:
        """Read `issuer=...,audience=...`; scopes are separated by spaces or `+`.

        Raises:
            ValueError: with everything that is wrong.
        """
        given: dict[str, object] = {"bare_401": bare_401}
        wrong: list[str] = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = (side.strip() for side in part.partition("="))
            if name not in _READ:
                wrong.append(f"there is no setting {name!r}; {did_you_mean(name, _READ, otherwise='there is')}")
            elif not equals or not value:
                wrong.append(f"{name} has no value; write {name}=...")
            elif name in given:
                wrong.append(f"{name} is given twice")
            else:
                try:
                    given[name] = _READ[name](value)
                except ValueError:
                    wrong.append(f"{name}={value} is not a number of seconds")
        missing = [name for name in ("issuer", "audience") if name not in given and not wrong]
        if missing:
            wrong.append(f"{' and '.join(missing)} must be given, as in {_EXAMPLE}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return cls(**given)  # type: ignore[arg-type]  # each was read by the reader of its field

    def _wrong_urls(self) -> list[str]:
        wrong: list[str] = []
        for name in ("issuer", "jwks_uri", "resource"):
            url = getattr(self, name)
            if url is not None and (why := why_not_safe(url)):
                wrong.append(f"{name} is {url!r}, {why}")
        return wrong


def why_not_safe(url: str) -> str:
    """Why what comes from `url` can't be trusted, as a clause of an error; empty if it can."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return "which is not a URL"
    if parts.username or parts.password:
        return "which contains a user name or password that clients would see"
    if parts.scheme == "https" and host:
        return ""
    if parts.scheme == "http" and host:
        return "" if is_loopback(host) else "which an attacker on the network can forge; use https"
    return "which is not a URL; it should start with https://"


def _scopes(value: str) -> tuple[str, ...]:
    return tuple(value.replace("+", " ").split())


_READ: dict[str, Callable[[str], object]] = {
    "issuer": str,
    "audience": str,
    "jwks_uri": str,
    "public_key": Path,
    "required_scopes": _scopes,
    "service_scopes": _scopes,
    "resource": str,
    "leeway": float,
}
if {field.name for field in fields(OAuth)} != {*_READ, "bare_401"}:  # pragma: no cover - a slip of this file
    raise TypeError("OAuth.parse does not read every field")
