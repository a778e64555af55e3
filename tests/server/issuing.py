"""An authorization server that tests run: keys of its own, on a port of this computer."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key as generate_rsa_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.server.running import running

AUDIENCE = "https://voice.example.com/mcp"


@cache
def rsa_key(number: int = 0) -> RSAPrivateKey:
    """A key; the same for the same number."""
    return generate_rsa_key(65537, 2048 + 8 * number)


def pem(key: RSAPrivateKey | EllipticCurvePrivateKey) -> bytes:
    """The public half, as a file has it."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def jwk(key: RSAPrivateKey | EllipticCurvePrivateKey, key_id: str | None = "one", **also: Any) -> dict[str, Any]:
    """The public half, as a JWK set has it."""
    public = key.public_key()
    text = RSAAlgorithm.to_jwk(public) if isinstance(key, RSAPrivateKey) else ECAlgorithm.to_jwk(public)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - the other kind of key
    return {**json.loads(text), "use": "sig", **({} if key_id is None else {"kid": key_id}), **also}


def elliptic_key() -> EllipticCurvePrivateKey:
    return generate_private_key(SECP256R1())


class Issuer:
    """What it answers, and how often it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.keys: list[Any] = [jwk(rsa_key())]
        self.status = 200
        self.metadata: dict[str, Any] = {}
        self.asked = 0

    def token(self, key: Any = None, *, key_id: str | None = "one", algorithm: str = "RS256", **claims: Any) -> str:
        """A token that is good, but for what `claims` changes; None leaves a claim out."""
        now = int(time.time())
        good = {
            "iss": self.url or "https://auth.example.com",
            "aud": AUDIENCE,
            "sub": "ann",
            "client_id": "host",
            "scope": "voice",
            "iat": now,
            "exp": now + 300,
        }
        told = {name: value for name, value in {**good, **claims}.items() if value is not None}
        headers = {} if key_id is None else {"kid": key_id}
        return jwt.encode(told, rsa_key() if key is None else key, algorithm, headers=headers)

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[Issuer]:
        """Serve its metadata and keys over HTTP."""
        routes = [
            Route("/.well-known/openid-configuration", self._told),
            Route("/jwks", self._jwks),
        ]
        async with running(Starlette(routes=routes)) as url:
            self.url = url
            yield self

    async def _told(self, _request: Request) -> JSONResponse:
        return JSONResponse({"issuer": self.url, "jwks_uri": f"{self.url}/jwks", **self.metadata})

    async def _jwks(self, _request: Request) -> JSONResponse:
        self.asked += 1
        return JSONResponse({"keys": self.keys}, self.status)
