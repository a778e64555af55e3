"""Numbers, money, dates and times are said as the locale says them; without Babel only plain numbers are."""

from __future__ import annotations

import datetime as dt
import logging
import sys
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from fsmvoice import DefinitionError, Money, State, VoiceMachine, create_fsm_actor, spoken, transition
from fsmvoice.model.money import Amount
from fsmvoice.voice.formats import needs_babel
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.values import spoken as say

CASES: list[tuple[Any, dict[str, str]]] = [
    (Amount(Decimal("4.50"), "EUR"), {"en": "4.50 euros", "de": "4,50 Euro", "fr": "4,50 euros", "ja": "4.50ユーロ"}),
    (Amount(1, "USD"), {"en": "1 US dollar", "de": "1 US-Dollar", "es": "1 dólar estadounidense"}),
    (Amount(450, "JPY"), {"en": "450 Japanese yen", "ja": "450円"}),
    (2.5, {"en": "2.5", "de": "2,5", "fr": "2,5"}),
    (0.1 + 0.2, {"en": "0.3", "de": "0,3"}),
    (0.00123, {"en": "0.0012"}),
    (Decimal("4.50"), {"en": "4.50", "de": "4,50"}),
    (1234567, {"en": "1234567", "de": "1234567"}),
    (dt.date(2026, 12, 24), {"en": "December 24, 2026", "en-GB": "24 December 2026", "de": "24. Dezember 2026"}),
    (dt.time(14, 5), {"en": "2:05 PM", "en-GB": "14:05", "de": "14:05 Uhr", "fr": "14 h 05", "ja": "14時05分"}),
    (
        dt.datetime(2026, 12, 24, 9, 30),
        {"de": "24. Dezember 2026 um 9:30 Uhr", "fr": "24 décembre 2026 à 9 h 30", "ja": "2026年12月24日9時30分"},
    ),
    (dt.timedelta(minutes=90), {"en": "1 hour and 30 minutes", "de": "1 Stunde und 30 Minuten", "ja": "1時間と30分"}),
    (dt.timedelta(days=2, seconds=5), {"en": "2 days"}),
    (dt.timedelta(0), {"en": "0 seconds"}),
    (True, {"en": "yes", "de": "ja", "es": "sí", "fr": "oui", "ja": "はい"}),
    (["ham", "cheese"], {"de": "ham und cheese", "fr": "ham et cheese", "ja": "hamとcheese"}),
]


@pytest.mark.parametrize(("value", "by_locale"), CASES, ids=lambda value: str(value)[:30])
def test_a_value_is_said_as_its_locale_says_it(value: Any, by_locale: dict[str, str]) -> None:
    assert {locale: say(value, phrases_for(locale)) for locale in by_locale} == by_locale


@pytest.mark.parametrize("value", [float("nan"), Decimal("Infinity"), dt.timedelta(-1), Amount(float("nan"), "EUR")])
def test_what_no_locale_can_say_is_not_said(value: Any) -> None:
    assert say(value, phrases_for("en")) is None


@pytest.mark.parametrize("locale", ["xx", "de-QQ", "en-x-formal", "zz-Zzzz-ZZ"])
def test_a_locale_that_nobody_knows_is_served_all_the_same(locale: str) -> None:
    assert say(2.5, phrases_for(locale)) in ("2.5", "2,5")


def test_a_currency_has_a_code() -> None:
    with pytest.raises(ValueError, match="write its ISO code"):
        Money("euro")


@pytest.mark.parametrize("kind", [float, Decimal, dt.date, dt.datetime, dt.time, dt.timedelta, float | None])
def test_these_need_babel(kind: Any) -> None:
    assert needs_babel(kind)
    assert needs_babel(list[kind])


def test_plain_values_need_none() -> None:
    assert not any(map(needs_babel, (str, int, bool, int | None, list[str])))
    assert needs_babel(Annotated[int, Money("EUR")])


class Bill(BaseModel):
    total: Annotated[Decimal, Money("EUR")] = Decimal("4.50")
    cups: int = 2


@pytest.fixture
def no_babel(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "babel"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "babel", None)


def make_shop(prompt: str) -> type[VoiceMachine[Bill]]:
    class Shop(VoiceMachine[Bill]):
        selling = State(initial=True, prompt=prompt)

        @spoken("tip", says="Thank you for {amount}.")
        @transition("TIP", source=selling)
        def tip(self, amount: Annotated[int, Field(ge=1, le=9)]) -> None: ...

    return Shop


def test_money_is_said_with_its_currency() -> None:
    shop = make_shop("{cups} cups are {total}.")()

    assert shop.say() == "2 cups are 4.50 euros. You can tip."


@pytest.mark.usefixtures("no_babel")
def test_a_machine_whose_texts_need_babel_is_refused_without_it() -> None:
    with pytest.raises(DefinitionError, match=r"(?s)slot \{total\}.*pip install 'fsmvoice\[voice\]'"):
        make_shop("That makes {total}.")


@pytest.mark.usefixtures("no_babel")
def test_plain_texts_and_whole_numbers_need_no_babel() -> None:
    assert make_shop("You have {cups} cups.")().send_sync("TIP", amount=3).say == "Thank you for 3."


@pytest.mark.usefixtures("no_babel")
def test_a_config_whose_texts_need_babel_is_refused_without_it() -> None:
    config = {"initial": "a", "context": {"price": 1.5}, "states": {"a": {"meta": {"prompt": "It is {price}."}}}}

    with pytest.raises(DefinitionError, match=r"(?s)prompt.*\{price\}.*pip install 'fsmvoice\[voice\]'"):
        create_fsm_actor(config)


@pytest.mark.usefixtures("no_babel")
def test_a_date_that_comes_by_surprise_gives_way_to_the_fall_back(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        assert say(dt.date(2026, 1, 1), phrases_for("en")) is None
    assert "pip install" in caplog.text
