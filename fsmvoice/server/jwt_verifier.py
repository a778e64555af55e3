"""Verifies access tokens that are signed JWTs: by the issuer's keys, for this server, and not expired."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final, cast

import jwt
from mcp.server.auth.provider import AccessToken

from fsmvoice.server.key_set import KeySet, KeysUnavailable, key_set
from fsmvoice.server.oauth import ALGORITHMS, OAuth

logger: logging.Logger = logging.getLogger("fsmvoice")

MAX_TOKEN: Final = 8192
"""Characters. A longer token is refused without being parsed."""


class JwtVerifier:
    """The SDK's `TokenVerifier` for signed JWTs.

    A user's token has a subject and all required scopes. One with only the service scopes belongs to nobody: its
    subject is dropped, so that no call can be made with it.

    Raises:
        ValueError: if the key file holds no public key.
    """

    def __init__(self, oauth: OAuth, keys: KeySet | None = None) -> None:
        self._oauth = oauth
        self._keys = key_set(oauth) if keys is None else keys

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's contents, or None if it is not acceptable. The log says why, but never what the token says.

        Raises:
            KeysUnavailable: if the issuer can't be reached.
        """
        try:
            return self._accepted(token, await self._claims(token))
        except KeysUnavailable:
            raise
        except Exception as error:  # noqa: BLE001, RUF100 - untrusted input may break a parser in any way
            _log_refusal(error)
            return None

    async def _claims(self, token: str) -> Mapping[str, Any]:
        if len(token) > MAX_TOKEN:
            raise jwt.InvalidTokenError("too long")
        header = jwt.get_unverified_header(token)
        if header.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError("the algorithm is not one for public keys")
        refusal: jwt.PyJWTError = jwt.InvalidKeyError("no key of the issuer has this id")
        for key in await self._keys.candidates(header.get("kid")):
            try:
                return self._checked(token, key.key, key.algorithms)
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError) as error:
                refusal = error
        raise refusal

    def _checked(self, token: str, key: Any, algorithms: tuple[str, ...]) -> Mapping[str, Any]:
        return jwt.decode(
            token,
            key,
            algorithms=list(algorithms),
            audience=self._oauth.audience,
            issuer=self._oauth.issuer,
            leeway=self._oauth.leeway,
            options={"require": ["exp", "iss", "aud"], "verify_iat": False},
        )

    def _accepted(self, token: str, claims: Mapping[str, Any]) -> AccessToken | None:
        oauth, scopes = self._oauth, _scopes(claims)
        subject = claims.get("sub")
        subject = subject if isinstance(subject, str) and subject.strip() else None
        users = scopes.issuperset(oauth.required_scopes)
        if not (oauth.service_scopes and scopes.issuperset(oauth.service_scopes)):
            if users and subject is None:
                logger.warning(
                    "refused an access token without a subject: without one, all users of its client would share a "
                    "conversation; have %s put the user's id in sub, or set service_scopes for tokens that only list "
                    "the tools",
                    oauth.issuer,
                )
                return None
        elif not users:
            subject = None
        return AccessToken(
            token=token,
            client_id=_client(claims),
            scopes=sorted(scopes),
            # The SDK checks this again, in whole seconds.
            expires_at=int(float(claims["exp"]) + oauth.leeway) + 1,
            subject=subject,
            claims={"iss": oauth.issuer},
        )


def _scopes(claims: Mapping[str, Any]) -> frozenset[str]:
    """The scopes in `scope` (RFC 9068) or `scp`, each of which may be a string or a list."""
    found: set[str] = set()
    for name in ("scope", "scp"):
        value = claims.get(name)
        if isinstance(value, str):
            found.update(value.split())
        elif isinstance(value, list):
            found.update(item for item in cast("list[object]", value) if isinstance(item, str))
    return frozenset(found)


def _client(claims: Mapping[str, Any]) -> str:
    """The client that asked for the token, under any of the claims that issuers use for it."""
    return next(
        (value for name in ("client_id", "azp", "cid", "appid") if isinstance(value := claims.get(name), str)), ""
    )


def _log_refusal(error: Exception) -> None:
    """Log the kind of error only, because an error's text may contain what the token says."""
    why = type(error).__name__
    logger.info("refused an access token: %s", why, extra={"refusal": why})
