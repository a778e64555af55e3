"""Which tokens are taken: the signature, for whom, until when, and whose."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import time
from pathlib import Path
from typing import Any

import pytest

from fsmvoice.server.jwt_verifier import JwtVerifier
from fsmvoice.server.oauth import OAuth
from tests.server.issuing import AUDIENCE, Issuer, elliptic_key, jwk, pem, rsa_key

ISSUER = Issuer()
TWO_TIER = {"required_scopes": ["voice"], "service_scopes": ["list"]}


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key.pem"
    path.write_bytes(pem(rsa_key()))
    return path


def verifier(key_file: Path, **options: Any) -> JwtVerifier:
    return JwtVerifier(OAuth("https://auth.example.com", AUDIENCE, public_key=key_file, **options))


def part(data: object) -> str:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unsigned(algorithm: str) -> str:
    """A good token's claims under a header of another algorithm, without a signature."""
    return f"{part({'alg': algorithm, 'typ': 'JWT'})}.{ISSUER.token().split('.')[1]}."


def signed_with_the_public_key() -> str:
    """What a server takes that checks a token by whatever algorithm it names: HS256, with the PEM as the secret."""
    text = f"{part({'alg': 'HS256', 'kid': 'one'})}.{ISSUER.token().split('.')[1]}"
    return f"{text}.{part(hmac.new(pem(rsa_key()), text.encode(), hashlib.sha256).digest())}"


async def test_a_users_token_says_whose_it_is(key_file: Path) -> None:
    token = await verifier(key_file).verify_token(ISSUER.token(scope="voice more"))
    assert token is not None
    assert (token.subject, token.client_id, token.scopes) == ("ann", "host", ["more", "voice"])
    assert token.claims == {"iss": "https://auth.example.com"}


@pytest.mark.parametrize(
    ("claims", "client", "scopes"),
    [
        ({"azp": "app", "client_id": None, "scp": ["a", "b"], "scope": None}, "app", ["a", "b"]),
        ({"cid": "app", "client_id": None, "scp": "a b", "scope": None}, "app", ["a", "b"]),
        ({"client_id": None, "scope": None}, "", []),
    ],
)
async def test_issuers_have_their_own_names_for_client_and_scope(
    key_file: Path, claims: dict[str, Any], client: str, scopes: list[str]
) -> None:
    token = await verifier(key_file).verify_token(ISSUER.token(**claims))
    assert token is not None
    assert (token.client_id, token.scopes) == (client, scopes)


def refused_tokens() -> dict[str, str]:
    """Tokens that are not to be taken, each for one reason alone: what else is in them is good from now on."""
    now = int(time.time())
    return {
        "signed by another": ISSUER.token(rsa_key(1)),
        "its signature is changed": ISSUER.token()[:-8] + "AAAAAAAA",
        "unsigned": unsigned("none"),
        "unsigned, written otherwise": unsigned("NoNe"),
        "the algorithm is not a text": f"{part({'alg': ['RS256']})}.{part({})}.x",
        "signed with the public key as a secret": signed_with_the_public_key(),
        "signed with a secret": ISSUER.token("a secret that is at least thirty-two bytes", algorithm="HS256"),
        "of another issuer": ISSUER.token(iss="https://elsewhere.example.com"),
        "of an issuer that begins alike": ISSUER.token(iss="https://auth.example.com.evil.example"),
        "expiring after the end of numbers": ISSUER.token(exp=10**400),
        "of no issuer": ISSUER.token(iss=None),
        "for another server": ISSUER.token(aud="https://elsewhere.example.com"),
        "for no server": ISSUER.token(aud=None),
        "expired": ISSUER.token(exp=now - 60),
        "without an end": ISSUER.token(exp=None),
        "its end is no time": ISSUER.token(exp="soon"),
        "not yet": ISSUER.token(nbf=now + 120),
        "without a subject": ISSUER.token(sub=None),
        "its subject is empty": ISSUER.token(sub=" "),
        "its subject is a number": ISSUER.token(sub=7),
        "its id of the key leads elsewhere": ISSUER.token(rsa_key(1), key_id="../../key.pem"),
        "it wants what nobody knows": f"{part({'alg': 'RS256', 'crit': ['x'], 'x': 1})}.{part({})}.{part(b'x')}",
        "10 kB": ISSUER.token(padding="x" * 10_000),
        "junk": "junk",
        "empty": "",
        "dots": "...",
        "no base64": "ä.ö.ü",
        "a surrogate": "\ud800.x.x",
        "binary": f"{part(bytes((255, 254)))}.{part(bytes(3))}.x",
        "nested deep": f"{part(b'[' * 4000)}.{part({})}.x",
        "a header that is a list": f"{part([1])}.{part({})}.x",
        "claims that are a list": f"{part({'alg': 'RS256'})}.{part([1])}.x",
        "a number of 5,000 digits": part(b'{"alg":' + b"1" * 5000 + b"}") + ".e30.x",
    }


@pytest.fixture(scope="module")
def refused() -> dict[str, str]:
    return refused_tokens()


@pytest.mark.parametrize("what", refused_tokens())
async def test_what_is_not_to_be_taken_is_refused(what: str, refused: dict[str, str], key_file: Path) -> None:
    assert await verifier(key_file).verify_token(refused[what]) is None


async def test_clocks_may_differ_a_little(key_file: Path) -> None:
    now = int(time.time())
    token = ISSUER.token(exp=now - 10, nbf=now + 10)
    assert await verifier(key_file, leeway=120).verify_token(token) is not None
    assert await verifier(key_file, leeway=0).verify_token(token) is None


async def test_no_subject_is_told_to_who_runs_the_server(key_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert await verifier(key_file).verify_token(ISSUER.token(sub=None)) is None
    assert "put the user's id in sub" in caplog.text


async def test_a_hosts_own_token_is_nobodys(key_file: Path) -> None:
    checks = verifier(key_file, **TWO_TIER)
    for subject in (None, "host"):
        token = await checks.verify_token(ISSUER.token(scope="list", sub=subject))
        assert token is not None
        assert token.subject is None
    both = await checks.verify_token(ISSUER.token(scope="list voice"))
    assert both is not None
    assert both.subject == "ann"


async def test_the_log_says_that_a_token_was_refused_and_nothing_of_it(
    key_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "fsmvoice"):
        await verifier(key_file).verify_token(ISSUER.token(iss="https://canary.example.com", sub="canary"))
        await verifier(key_file).verify_token(ISSUER.token(sub=None, client_id="canary"))
    assert "InvalidIssuerError" in caplog.text
    assert "canary" not in caplog.text


async def test_an_elliptic_key_takes_its_own_algorithm_only(tmp_path: Path) -> None:
    key = elliptic_key()
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [jwk(key), jwk(rsa_key(), "two", alg="PS256")]}))
    checks = verifier(path)
    assert await checks.verify_token(ISSUER.token(key, algorithm="ES256")) is not None
    assert await checks.verify_token(ISSUER.token(key_id="two", algorithm="PS256")) is not None
    assert await checks.verify_token(ISSUER.token(key_id="two", algorithm="RS256")) is None
    assert await checks.verify_token(ISSUER.token(key_id=None, algorithm="PS256")) is not None
