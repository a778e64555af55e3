"""The public keys that tokens are signed with, from a file or from the issuer."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias, cast
from urllib.parse import urlsplit, urlunsplit

import httpx2
import jwt
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from cryptography.x509 import load_pem_x509_certificate
from starlette.authentication import AuthenticationError

from fsmvoice.server.oauth import ALGORITHMS, OAuth, why_not_safe

logger: logging.Logger = logging.getLogger("fsmvoice")

PublicKey: TypeAlias = RSAPublicKey | EllipticCurvePublicKey | Ed25519PublicKey

FRESH_FOR: Final = 600.0
"""Seconds for which fetched keys are used without asking again."""
STALE_FOR: Final = 24 * 3600.0
"""Seconds for which they are still used while the issuer can't be reached."""
ASK_EVERY: Final = 10.0
"""Seconds between two fetches, at least, however many tokens name an unknown key."""
PATIENCE: Final = 5.0
"""Seconds for a fetch."""
MAX_BYTES: Final = 256 * 1024
"""Bytes of a fetched document."""
MAX_KEYS: Final = 64
"""Keys that are read of a set."""


class KeysUnavailable(AuthenticationError):
    """The issuer's keys could not be fetched, so tokens can neither be accepted nor be called invalid."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key, its id, and the signature algorithms that it may be used with."""

    key: PublicKey
    algorithms: tuple[str, ...]
    id: str | None = None


class KeySet(Protocol):
    """A source of keys."""

    async def candidates(self, key_id: str | None) -> Sequence[SigningKey]:
        """The keys that a token naming `key_id` may be signed with.

        Raises:
            KeysUnavailable: if the issuer can't be reached, and no key fetched earlier is usable.
        """
        ...


class KeyFile:
    """Keys from a file, read once.

    Raises:
        ValueError: if the file can't be read or holds no public key.
    """

    def __init__(self, path: Path | str) -> None:
        try:
            text = Path(path).read_bytes()
        except OSError as error:
            raise ValueError(f"the public key {str(path)!r} can't be read: {error.strerror}") from None
        try:
            self._keys = tuple(_keys_in(text))
        except ValueError as error:
            raise ValueError(f"{str(path)!r} holds no public key: {error}") from None

    async def candidates(self, key_id: str | None) -> Sequence[SigningKey]:
        """The keys with this id or without any."""
        return _named(self._keys, key_id)


class FetchedKeys:
    """The issuer's keys, fetched when they are first needed, when they are old, and when a token names a new one.

    Args:
        issuer: the authorization server, whose metadata has the URI of the keys.
        uri: the URI of the keys, if it is known.
        clock: seconds on a monotonic clock.
        transport: carries the requests; tests replace it to cause failures.
    """

    def __init__(
        self,
        issuer: str,
        uri: str | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._issuer, self._uri, self._clock, self._transport = issuer, uri, clock, transport
        self._keys: tuple[SigningKey, ...] = ()
        self._fetched: float | None = None
        self._asked: float | None = None
        self._failing = False
        self._asking = asyncio.Lock()

    async def candidates(self, key_id: str | None) -> Sequence[SigningKey]:
        """The keys with this id or without any. For an unknown id the issuer is asked again, at limited intervals."""
        named = _named(self._keys, key_id)
        if self._age() >= FRESH_FOR or not named:
            if named and self._asking.locked() and self._age() < STALE_FOR:
                return named  # one caller waiting for a slow issuer is enough
            async with self._asking:
                named = _named(self._keys, key_id)
                if (self._age() >= FRESH_FOR or not named) and self._may_ask():
                    await self._ask()
                    named = _named(self._keys, key_id)
        if self._age() >= STALE_FOR or (self._failing and not named):  # an unknown id may belong to a new key
            raise KeysUnavailable("the keys that tokens are signed with can't be fetched now; try again later")
        return named

    def _age(self) -> float:
        return float("inf") if self._fetched is None else self._clock() - self._fetched

    def _may_ask(self) -> bool:
        return self._asked is None or self._clock() - self._asked >= ASK_EVERY

    async def _ask(self) -> None:
        before, self._asked = self._asked, self._clock()
        try:
            # A timeout for each read would let an issuer that sends byte by byte hold every caller.
            async with asyncio.timeout(PATIENCE), self._client() as client:
                uri = self._uri or await self._discovered(client)
                self._keys = tuple(_keys_of(await _json(client, uri)))
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
            logger.warning(
                "the keys of %s could not be fetched: %s",
                self._issuer,
                str(error) or type(error).__name__,
                extra={"issuer": self._issuer},
            )
            self._failing = True
            return
        except asyncio.CancelledError:
            self._asked = before  # so that the next caller may ask
            raise
        self._uri, self._fetched, self._failing = uri, self._clock(), False

    def _client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=self._transport, timeout=PATIENCE, follow_redirects=False)

    async def _discovered(self, client: httpx2.AsyncClient) -> str:
        """The URI of the keys, from the issuer's metadata."""
        problems: list[str] = []
        for url in _metadata_urls(self._issuer):
            try:
                told = await _json(client, url)
            except ValueError as error:
                problems.append(str(error))
                continue
            if told.get("issuer") != self._issuer:
                raise ValueError(f"{url} is the metadata of {told.get('issuer')!r}")
            uri = told.get("jwks_uri")
            if not isinstance(uri, str):
                raise ValueError(f"{url} has no jwks_uri")
            if why := why_not_safe(uri):
                raise ValueError(f"{url} has the jwks_uri {uri!r}, {why}")
            return uri
        raise ValueError("; ".join(problems))


def key_set(oauth: OAuth) -> KeySet:
    """The source of the keys: the file if one is given, else the issuer.

    Raises:
        ValueError: if the file holds no public key.
    """
    return FetchedKeys(oauth.issuer, oauth.jwks_uri) if oauth.public_key is None else KeyFile(oauth.public_key)


def _named(keys: Sequence[SigningKey], key_id: str | None) -> Sequence[SigningKey]:
    return keys if key_id is None else [key for key in keys if key.id in (key_id, None)]


def _metadata_urls(issuer: str) -> Iterator[str]:
    """The URLs of an issuer's metadata: RFC 8414, section 3.1, and OpenID Connect Discovery, section 4."""
    parts = urlsplit(issuer)
    path = parts.path.rstrip("/")
    yield urlunsplit(parts._replace(path=f"/.well-known/oauth-authorization-server{path}"))
    yield urlunsplit(parts._replace(path=f"{path}/.well-known/openid-configuration"))


async def _json(client: httpx2.AsyncClient, url: str) -> Mapping[str, Any]:
    async with client.stream("GET", url, headers={"Accept": "application/json"}) as response:
        if response.status_code != 200:
            raise ValueError(f"{url} answered {response.status_code}")
        body = b""
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MAX_BYTES:
                raise ValueError(f"{url} answered with more than {MAX_BYTES} bytes")
    try:
        told = json.loads(body)
    except ValueError:
        raise ValueError(f"{url} did not answer with JSON") from None
    if not isinstance(told, dict):
        raise ValueError(f"{url} did not answer with a JSON object")
    return cast("Mapping[str, Any]", told)


def _keys_in(text: bytes) -> Iterator[SigningKey]:
    if text.lstrip().startswith(b"{"):
        told = json.loads(text)
        yield from _keys_of(told if "keys" in told else {"keys": [told]})
    elif b"BEGIN CERTIFICATE" in text:
        yield _signing_key(load_pem_x509_certificate(text).public_key())
    elif b"PRIVATE KEY" in text:
        raise ValueError("it is a private key, which belongs to the issuer alone; give the public one")
    else:
        yield _signing_key(load_pem_public_key(text))


def _keys_of(told: Mapping[str, Any]) -> Iterator[SigningKey]:
    """The keys of a JWK set (RFC 7517) that verify signatures. Others are skipped.

    Raises:
        ValueError: if there are none.
    """
    listed: object = told.get("keys")
    found = 0
    for data in cast("list[object]", listed)[:MAX_KEYS] if isinstance(listed, list) else ():
        jwk = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        if jwk.get("use", "sig") != "sig":
            continue
        try:
            key = _signing_key(jwt.PyJWK(jwk).key, jwk.get("alg"), jwk.get("kid"))
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        found += 1
        yield key
    if not found:
        raise ValueError("the set has no key that can verify signatures")


def _signing_key(key: object, algorithm: object = None, key_id: object = None) -> SigningKey:
    """A key with the algorithms that fit it. The header of a token can only choose among these."""
    match key:
        case RSAPublicKey() if key.key_size >= 2048:
            fitting = tuple(name for name in ALGORITHMS if name[:2] in ("RS", "PS"))
        case RSAPublicKey():
            raise ValueError(f"an RSA key of {key.key_size} bits is too weak; it should have 2048 at least")
        case EllipticCurvePublicKey():
            fitting = {"secp256r1": ("ES256",), "secp384r1": ("ES384",), "secp521r1": ("ES512",)}.get(
                key.curve.name, ()
            )
        case Ed25519PublicKey():
            fitting = ("EdDSA",)
        case _:
            raise ValueError("it should be an RSA, elliptic curve or Ed25519 key")
    if algorithm is not None:
        fitting = tuple(name for name in fitting if name == algorithm)
    if not fitting:
        raise ValueError(f"its algorithm ({algorithm}) is not an accepted one")
    return SigningKey(key, fitting, key_id if isinstance(key_id, str) else None)
