"""The settings of signing in: all that is wrong is told at once, before anything listens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fsmvoice.server import OAuth

GOOD = "issuer=https://auth.example.com,audience=https://voice.example.com/mcp"


def test_a_line_says_all_of_it() -> None:
    oauth = OAuth.parse(
        f"{GOOD}, jwks_uri=https://auth.example.com/keys,required_scopes=voice coffee,"
        "service_scopes=list+read,leeway=5",
        bare_401=True,
    )
    assert oauth.issuer == "https://auth.example.com"
    assert oauth.jwks_uri == "https://auth.example.com/keys"
    assert oauth.required_scopes == ("voice", "coffee")
    assert oauth.service_scopes == ("list", "read")
    assert oauth.leeway == 5
    assert oauth.bare_401
    assert OAuth.parse(f"{GOOD},public_key=key.pem").public_key == Path("key.pem")


def test_the_public_url_is_the_resource_or_an_audience_that_is_one() -> None:
    assert OAuth.parse(GOOD).public_url == "https://voice.example.com/mcp"
    assert OAuth("https://a.example", "voice-api").public_url is None
    assert (
        OAuth("https://a.example", "voice-api", resource="https://v.example/mcp").public_url == "https://v.example/mcp"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "issuer and audience must be given, as in issuer=https://auth.example.com,audience="),
        ("issuer=https://a.example", "audience must be given"),
        (f"{GOOD},isuer=x", "there is no setting 'isuer'; did you mean 'issuer'?"),
        (f"{GOOD},issuer=https://b.example", "issuer is given twice"),
        (f"{GOOD},leeway=soon", "leeway=soon is not a number of seconds"),
        (f"{GOOD},resource", "resource has no value; write resource=..."),
        ("issuer=auth.example.com,audience=x", "issuer is 'auth.example.com', which is not a URL"),
        ("issuer=http://auth.example.com,audience=x", "which an attacker on the network can forge; use https"),
        ("issuer=https://ann:secret@a.example,audience=x", "which contains a user name or password"),
        ("issuer=http://[1,audience=x", "which is not a URL"),
        (
            f"{GOOD},jwks_uri=http://auth.example.com/keys",
            "jwks_uri is 'http://auth.example.com/keys', which an attacker",
        ),
        (f"{GOOD},jwks_uri=https://a.example/k,public_key=k.pem", "leave one out"),
        (f"{GOOD},service_scopes=list", "a user's token could not be told from the host's own"),
        (f"{GOOD},leeway=9999", "it should be 0 to 300 seconds"),
    ],
)
def test_what_can_not_be_is_reported(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        OAuth.parse(text)


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(ValueError, match=r"leeway is -1.*") as caught:
        OAuth("nowhere", "", leeway=-1, required_scopes="voice")
    assert str(caught.value).count(";") >= 3


def test_an_issuer_on_this_computer_needs_no_https() -> None:
    assert OAuth("http://127.0.0.1:9000", "x").issuer == "http://127.0.0.1:9000"
