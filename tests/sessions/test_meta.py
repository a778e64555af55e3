"""What callers write into `_meta` is read as they send it, or said to be unreadable."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.sessions.meta import (
    EXPECTED_REVISION_META,
    LOCALE_META,
    REQUEST_ID_META,
    SESSION_META,
    RequestMeta,
    read_meta,
)


def test_all_keys_are_read_and_others_left_alone() -> None:
    meta = {
        SESSION_META: "s",
        REQUEST_ID_META: "r",
        EXPECTED_REVISION_META: 3,
        LOCALE_META: "de",
        "progressToken": 1,
    }

    assert read_meta(meta) == RequestMeta("s", "r", 3, "de")
    assert read_meta({"progressToken": 1}) == read_meta({}) == RequestMeta()


@pytest.mark.parametrize("sent", [3, "3", 3.0])
def test_a_revision_is_taken_as_clients_send_it(sent: Any) -> None:
    assert read_meta({EXPECTED_REVISION_META: sent}).expected_revision == 3


@pytest.mark.parametrize("key", [REQUEST_ID_META, EXPECTED_REVISION_META])
@pytest.mark.parametrize("sent", [True, [], {}, "", "x" * 201, 1.5, float("nan")])
def test_what_can_be_neither_is_said_to_be_unreadable(key: str, sent: Any) -> None:
    read = read_meta({key: sent})

    assert read.unreadable == key
    assert (read.request_id, read.expected_revision) == (None, None)


def test_null_is_as_if_it_were_left_out() -> None:
    assert read_meta(dict.fromkeys((SESSION_META, REQUEST_ID_META, EXPECTED_REVISION_META))) == RequestMeta()


def test_the_request_id_may_be_a_number_and_the_argument_comes_first() -> None:
    assert read_meta({REQUEST_ID_META: 7}).request_id == "7"
    assert read_meta({REQUEST_ID_META: 7}, "mine").request_id == "mine"
    assert read_meta({}, []).unreadable == REQUEST_ID_META
    assert read_meta({}, 10**5000).unreadable == REQUEST_ID_META


def test_a_request_id_is_a_text_that_every_store_can_write() -> None:
    assert read_meta({REQUEST_ID_META: "進行中 💥"}).request_id == "進行中 💥"
    assert read_meta({REQUEST_ID_META: "half \ud800"}).unreadable == REQUEST_ID_META
