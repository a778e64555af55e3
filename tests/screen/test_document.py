"""A document with what it has to know of a machine in it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from fsmvoice.screen.document import document, settings
from fsmvoice.screen.words import page_words, words_for


def told(**more: Any) -> dict[str, Any]:
    return {**settings(title="Coffee", locale="en", status="coffee_status", start_over="coffee_start_over"), **more}


def test_the_app_is_small() -> None:
    assert len(document("app", told()).encode()) < 30_000


def test_it_finds_what_it_was_told() -> None:
    text = document("app", told(title="Tea & </script><b>"))
    (found,) = re.findall(r'id="settings">(.*?)</script>', text)
    assert json.loads(found)["title"] == "Tea & </script><b>"
    assert "<title>Tea &amp; &lt;/script&gt;&lt;b&gt;</title>" in text


def test_its_language_is_the_machines() -> None:
    assert '<html lang="de">' in document("app", told(lang="de"))


def test_it_lets_nothing_in_from_outside() -> None:
    assert "default-src 'none'" in document("app", told())


@pytest.mark.parametrize("locale", ["de", "es-MX", "fr", "ja_JP"])
def test_each_language_has_all_words(locale: str) -> None:
    for words in (words_for, page_words):
        assert words(locale).keys() == words("en").keys()
        assert words(locale) != words("en")
    assert "{name}" in words_for(locale)["inWords"]


def test_a_language_that_is_not_here_is_english() -> None:
    assert words_for("nl") == words_for("en")
