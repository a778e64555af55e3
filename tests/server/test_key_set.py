"""Where keys come from: a file, or the issuer, which is asked seldom and may be away."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from fsmvoice.server.key_set import ASK_EVERY, FRESH_FOR, MAX_BYTES, STALE_FOR, FetchedKeys, KeyFile, KeysUnavailable
from tests.server.issuing import Issuer, jwk, pem, rsa_key


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def ids(keys: FetchedKeys, key_id: str | None) -> list[str | None]:
    return [key.id for key in await keys.candidates(key_id)]


async def test_the_issuers_metadata_says_where_its_keys_are() -> None:
    async with Issuer().listening() as issuer:
        assert await ids(FetchedKeys(issuer.url), "one") == ["one"]


async def test_keys_are_fetched_once_for_many_callers() -> None:
    async with Issuer().listening() as issuer:
        keys = FetchedKeys(issuer.url, f"{issuer.url}/jwks")
        assert await asyncio.gather(*(ids(keys, "one") for _ in range(20))) == [["one"]] * 20
        assert issuer.asked == 1


async def test_a_new_key_is_taken_at_once_and_unknown_ones_do_not_flood_the_issuer() -> None:
    clock = Clock()
    async with Issuer().listening() as issuer:
        keys = FetchedKeys(issuer.url, f"{issuer.url}/jwks", clock=clock)
        await keys.candidates("one")
        issuer.keys.append(jwk(rsa_key(1), "two"))
        clock.now += ASK_EVERY
        assert await ids(keys, "two") == ["two"]
        for number in range(50):
            assert await ids(keys, f"junk {number}") == []
        assert issuer.asked == 2


async def test_a_key_that_the_issuer_takes_back_is_no_longer_taken() -> None:
    clock = Clock()
    async with Issuer().listening() as issuer:
        keys = FetchedKeys(issuer.url, f"{issuer.url}/jwks", clock=clock)
        assert await ids(keys, "one") == ["one"]
        issuer.keys = [jwk(rsa_key(1), "two")]
        clock.now += FRESH_FOR
        assert await ids(keys, "one") == []


async def test_keys_are_kept_for_a_day_while_the_issuer_is_away(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    async with Issuer().listening() as issuer:
        keys = FetchedKeys(issuer.url, f"{issuer.url}/jwks", clock=clock)
        await keys.candidates("one")
        issuer.status = 500
        clock.now += STALE_FOR - 1
        assert await ids(keys, "one") == ["one"]
        assert "answered 500" in caplog.text
        clock.now += ASK_EVERY
        with pytest.raises(KeysUnavailable, match="try again later"):
            await keys.candidates("one")


async def test_while_the_issuer_is_away_a_new_key_is_not_called_wrong(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    async with Issuer().listening() as issuer:
        keys = FetchedKeys(issuer.url, f"{issuer.url}/jwks", clock=clock)
        await keys.candidates("one")
        issuer.status = 500
        clock.now += ASK_EVERY
        for _ in range(2):
            with pytest.raises(KeysUnavailable, match="try again later"):
                await keys.candidates("two")
            assert await ids(keys, "one") == ["one"]
        issuer.status, issuer.keys = 200, [*issuer.keys, jwk(rsa_key(1), "two")]
        clock.now += ASK_EVERY
        assert await ids(keys, "two") == ["two"]
        assert await ids(keys, "junk") == []


def answering(body: object) -> httpx2.MockTransport:
    def answer(request: httpx2.Request) -> httpx2.Response:
        if isinstance(body, Exception):
            raise body
        return httpx2.Response(200, content=body if isinstance(body, bytes) else json.dumps(body).encode())

    return httpx2.MockTransport(answer)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<html>", "did not answer with JSON"),
        ([1], "did not answer with a JSON object"),
        (b"[" * 5000, "recursion"),
        (b" " * (MAX_BYTES + 1), f"answered with more than {MAX_BYTES} bytes"),
        ({"keys": "none"}, "no key that can verify signatures"),
        (
            {"keys": [None, {"kty": "oct", "k": "c2VjcmV0", "kid": "one"}, {"kty": "RSA"}]},
            "no key that can verify signatures",
        ),
        ({"keys": [jwk(rsa_key(), use="enc")]}, "no key that can verify signatures"),
        ({"keys": [jwk(generate_private_key(65537, 1024))]}, "no key that can verify signatures"),
        (httpx2.ReadTimeout("timed out"), "timed out"),
    ],
)
async def test_an_answer_that_is_not_a_set_of_keys_is_reported_and_harms_nobody(
    body: Any, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    keys = FetchedKeys("https://auth.example.com", "https://auth.example.com/jwks", transport=answering(body))
    with pytest.raises(KeysUnavailable):
        await keys.candidates("one")
    assert told in caplog.text


class SlowIssuer:
    """Answers when it is let go."""

    def __init__(self) -> None:
        self.go, self.asked = asyncio.Event(), asyncio.Event()

    async def answer(self, _request: httpx2.Request) -> httpx2.Response:
        self.asked.set()
        await self.go.wait()
        return httpx2.Response(200, json={"keys": [jwk(rsa_key(), "one")]})


async def test_while_one_waits_for_a_slow_issuer_the_others_go_on() -> None:
    clock, issuer = Clock(), SlowIssuer()
    transport = httpx2.MockTransport(issuer.answer)
    keys = FetchedKeys("https://a.example", "https://a.example/jwks", clock=clock, transport=transport)
    issuer.go.set()
    await keys.candidates("one")
    issuer.go.clear()
    issuer.asked.clear()
    clock.now += FRESH_FOR
    waiting = asyncio.create_task(ids(keys, "one"))
    await issuer.asked.wait()
    async with asyncio.timeout(1):
        assert await ids(keys, "one") == ["one"]
    assert not waiting.done()
    issuer.go.set()
    assert await waiting == ["one"]


async def test_a_caller_who_goes_away_while_the_issuer_is_asked_leaves_the_asking_to_the_next() -> None:
    issuer = SlowIssuer()
    keys = FetchedKeys("https://a.example", "https://a.example/jwks", transport=httpx2.MockTransport(issuer.answer))
    gone = asyncio.create_task(ids(keys, "one"))
    await issuer.asked.wait()
    gone.cancel()
    await asyncio.wait((gone,))
    issuer.go.set()
    assert await ids(keys, "one") == ["one"]


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({"issuer": "https://evil.example"}, "is the metadata of 'https://evil.example'"),
        ({"jwks_uri": "http://evil.example/jwks"}, "use https"),
        ({"jwks_uri": 7}, "has no jwks_uri"),
    ],
)
async def test_metadata_of_another_issuer_is_not_believed(
    metadata: dict[str, Any], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    issuer = Issuer()
    issuer.metadata = metadata
    async with issuer.listening():
        with pytest.raises(KeysUnavailable):
            await FetchedKeys(issuer.url).candidates("one")
    assert told in caplog.text


async def test_a_file_may_be_pem_or_a_jwk_set(tmp_path: Path) -> None:
    path = tmp_path / "key"
    for content in (pem(rsa_key()), json.dumps(jwk(rsa_key())), json.dumps({"keys": [jwk(rsa_key())]})):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert len(await KeyFile(path).candidates("one")) == 1


def test_a_file_that_holds_no_public_key_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(ValueError, match="can't be read: No such file"):
        KeyFile(path)
    private = rsa_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content, told in ((b"junk", "holds no public key"), (private, "a private key"), (b"{}", "holds no public key")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=told):
            KeyFile(path)
