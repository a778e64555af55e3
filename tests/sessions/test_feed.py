"""Who listens to a session hears of its commits, and of nobody else's."""

from __future__ import annotations

import logging

import pytest

from fsmvoice.sessions.feed import Feed


def test_a_listener_hears_of_its_session_alone() -> None:
    feed, heard = Feed(), list[int]()
    feed.listen("mine", heard.append)

    feed.publish("mine", 1)
    feed.publish("other", 7)

    assert heard == [1]


def test_nothing_is_left_of_a_listener_that_ended() -> None:
    feed, heard = Feed(), list[int]()
    ends = [feed.listen("mine", heard.append) for _ in range(3)]

    ends[0]()
    ends[0]()
    feed.publish("mine", 1)
    assert heard == [1, 1]

    for end in ends:
        end()
    assert len(feed) == 0


def test_a_listener_that_fails_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    feed, heard = Feed(), list[int]()

    def broken(_revision: int) -> None:
        raise ValueError("no ears")

    feed.listen("mine", broken)
    feed.listen("mine", heard.append)
    with caplog.at_level(logging.ERROR, "fsmvoice"):
        feed.publish("mine", 2)

    assert heard == [2]
    assert "no ears" in caplog.text


def test_a_listener_may_end_while_it_hears() -> None:
    feed, heard = Feed(), list[int]()

    def once(revision: int) -> None:
        heard.append(revision)
        end()

    end = feed.listen("mine", once)
    feed.publish("mine", 1)
    feed.publish("mine", 2)

    assert heard == [1]
