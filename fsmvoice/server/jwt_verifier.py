"""Whom an access token belongs to, if it is one: signed by the issuer, for this server, and for now."""

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
"""Characters; a longer one is not even taken apart."""


class JwtVerifier:
    """The SDK's `TokenVerifier` for signed JWTs.

    A user's token has a subject and all required scopes. One with the service scopes alone is nobody's: it comes out
    without a subject, whatever it says, so that no call can be made with it.

    Raises:
        ValueError: the file of keys is none.
    """

    def __init__(self, oauth: OAuth, keys: KeySet | None = None) -> None:
        self._oauth = oauth
        self._keys = key_set(oauth) if keys is None else keys

    async def verify_token(self, token: str) -> AccessToken | None:
        """The token's contents, or None for one that is not to be taken. The log says why, and never what is in it.

        Raises:
            KeysUnavailable: the issuer can't be reached.
        """
        try:
            return self._accepted(token, await self._claims(token))
        except KeysUnavailable:
            raise
        except Exception as error:  # noqa: BLE001, RUF100 - junk may break any parser, in any way
            _log_refusal(error)
            return None

    async def _claims(self, token: str) -> Mapping[str, Any]:
        if len(token) > MAX_TOKEN:
            raise jwt.InvalidTokenError("too long")
        header = jwt.get_unverified_header(token)
        if header.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError("the algorithm is none of those for public keys")
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
                    "refused an access token without a subject: its sub must say whose it is, or all users of its "
                    "client would share a conversation; have %s put the user's id there, or name service_scopes for "
                    "tokens that only list the tools",
                    oauth.issuer,
                )
                return None
        elif not users:
            subject = None
        return AccessToken(
            token=token,
            client_id=_client(claims),
            scopes=sorted(scopes),
            # The SDK looks at this once more, by the second.
            expires_at=int(float(claims["exp"]) + oauth.leeway) + 1,
            subject=subject,
            claims={"iss": oauth.issuer},
        )


def _scopes(claims: Mapping[str, Any]) -> frozenset[str]:
    """`scope` as RFC 9068 has it, or `scp`, as a text or a list."""
    found: set[str] = set()
    for name in ("scope", "scp"):
        value = claims.get(name)
        if isinstance(value, str):
            found.update(value.split())
        elif isinstance(value, list):
            found.update(item for item in cast("list[object]", value) if isinstance(item, str))
    return frozenset(found)


def _client(claims: Mapping[str, Any]) -> str:
    """The client that asked for the token, by the names that issuers have for it."""
    return next(
        (value for name in ("client_id", "azp", "cid", "appid") if isinstance(value := claims.get(name), str)), ""
    )


def _log_refusal(error: Exception) -> None:
    """Say what kind of refusal it was; an error's own text may hold what the token says."""
    why = type(error).__name__
    logger.info("refused an access token: %s", why, extra={"refusal": why})
