"""Which language a locale is served in."""

from __future__ import annotations

import pytest

from fsmvoice.voice.languages import best, fallbacks, language_of, normal, register_of


@pytest.mark.parametrize(
    ("tag", "usual"),
    [
        ("de", "de"),
        ("DE_at", "de-AT"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("de-x-formal", "de"),
        ("ca-ES-valencia", "ca-ES"),
        ("en_US.UTF-8", "en-US"),
        ("*", None),
        ("", None),
        (None, None),
        ("x" * 1000, None),
        ("../../etc/passwd", None),
    ],
)
def test_a_tag_is_read_however_it_is_spelt(tag: str | None, usual: str | None) -> None:
    assert normal(tag) == usual


def test_a_tag_falls_back_step_by_step() -> None:
    assert fallbacks("zh-Hant-TW") == ["zh-Hant-TW", "zh-Hant", "zh"]
    assert language_of("de-AT") == "de"
    assert language_of(None) == "en"


@pytest.mark.parametrize(
    ("wanted", "served"),
    [
        (["de-AT"], ("de-AT", "de")),
        (["de"], ("de", "de")),
        (["pt"], ("pt", "pt-BR")),
        (["pt-PT"], ("pt-PT", "pt-BR")),
        (["tlh", "*", "de-CH", "en"], ("de-CH", "de")),
        (["tlh"], None),
        ([], None),
    ],
)
def test_the_first_language_that_is_there_is_taken(wanted: list[str], served: tuple[str, str] | None) -> None:
    assert best(tuple(wanted), ("en", "de", "pt-BR")) == served


def test_a_tag_may_say_how_to_address_people() -> None:
    assert register_of("de-AT-x-formal") == "formal"
    assert register_of("fr-x-informal") == "informal"
    assert register_of("de-x-other") is None
