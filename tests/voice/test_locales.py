"""The texts of a machine in other languages: what is said, what falls back, and what is wrong with a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import pytest

from fsmvoice import DefinitionError
from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.chart import compile_chart
from fsmvoice.model.locale_files import LocaleFiles, LocaleFolder
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.voice import texts
from fsmvoice.voice.confirmation import confirm_question
from fsmvoice.voice.entries import entries
from fsmvoice.voice.locales import check_locales, extra, locale_findings, missing
from fsmvoice.voice.offers import offers
from fsmvoice.voice.reply import make_speech
from fsmvoice.voice.wording import wording
from tests.voice.localised import GERMAN, actor, shop, speech, write


@pytest.fixture
def german(tmp_path: Path) -> Path:
    return write(tmp_path, de=GERMAN)


def test_every_kind_of_text_is_said_in_the_language_of_the_file(german: Path) -> None:
    chart = shop(german)
    it, said = actor(chart), speech(chart, "de")

    assert said.status(it.snapshot) == (
        "Er ist zu. Du kannst den Laden öffnen oder das Schild umdrehen. Soll ich ihn öffnen?"
    )
    assert said.outcome(it.send_sync("PICK", size="small")) == (
        "Erst muss er offen sein. Du kannst den Laden öffnen oder das Schild umdrehen."
    )
    assert said.outcome(it.send_sync("TURN")) == "Umgedreht."
    assert confirm_question(it.snapshot, "OPEN", {}, "de") == "Soll ich ihn öffnen?"
    assert texts.working(chart, "OPEN", "de") == "Ich öffne ihn."
    assert said.outcome(it.send_sync("OPEN")) == "Er ist offen. Welche Größe?"
    assert said.outcome(it.send_sync("PICK", size="huge")) == (
        "Huge steht nicht zur Auswahl. Welche Größe soll es sein: klein oder groß?"
    )
    assert texts.utterances(chart, "PICK", "de") == ("[eine] {size}",)


def test_a_guards_reason_says_values_by_their_labels(german: Path) -> None:
    chart = shop(german, key=False)

    assert speech(chart, "de").outcome(actor(chart).send_sync("OPEN")) == (
        "Du hast keinen Schlüssel für klein. Du kannst das Schild umdrehen."
    )
    assert next(offer.say for offer in offers(actor(chart).snapshot, "de")) == "Du hast keinen Schlüssel für klein."


def test_what_a_timer_says_is_news_in_the_language_of_the_listener(german: Path) -> None:
    chart = shop(german)
    it = actor(chart)
    opened = it.send_sync("OPEN")

    assert speech(chart, "de").outcome(opened, news=["I closed it.", "Someone called"]) == (
        "Ich habe ihn geschlossen. Someone called. Er ist offen. Welche Größe?"
    )
    assert speech(chart, "de").status(it.snapshot, news=["I closed it."]).startswith("Ich habe ihn geschlossen. ")
    assert texts.says(chart, "", [arc.config for arc in chart.nodes[2].on[next(iter(chart.delays))]], "de") == (
        "Ich habe ihn geschlossen.",
    )


def test_news_with_values_are_put_into_the_listeners_words(tmp_path: Path) -> None:
    write(tmp_path, de='[says."a"]\nBREW = "{drink} in {size} kommt."\n[values."size"]\nlarge = "groß"')
    config: dict[str, Any] = {
        "id": "bar",
        "initial": "a",
        "states": {"a": {"on": {"BREW": {"actions": [], "meta": {"says": "A {size} {drink} is coming."}}}}},
    }
    size = Payload("BREW", [Parameter("size", Literal["small", "large"]), Parameter("drink", str)])
    locales = LocaleFiles([LocaleFolder(tmp_path, "bar")])
    chart = compile_chart(parse_config(config), Behaviour(payloads={"BREW": size}, locales=locales))
    kept = make_speech("en").news(actor(chart).send_sync("BREW", size="large", drink="(tea)+"))

    assert kept == ("A large (tea)+ is coming.",)
    assert wording(chart, "de").news(kept[0]) == "(tea)+ in groß kommt."


def test_without_a_file_or_a_language_the_machines_own_is_heard(german: Path) -> None:
    chart = shop(german)
    own = speech(chart).status(actor(chart).snapshot)

    assert own == "It is closed. You can open the shop or turn. Open it?"
    assert speech(chart, "tlh").status(actor(chart).snapshot) == own
    assert speech(shop(), "de").status(actor(shop()).snapshot) == own


def test_a_text_that_is_missing_or_empty_is_said_in_the_machines_own_language(tmp_path: Path) -> None:
    write(tmp_path, de='[states."closed"]\nprompt = ""\n[events."OPEN"]\nlabel = "öffnen"')
    chart = shop(tmp_path)

    assert speech(chart, "de").status(actor(chart).snapshot) == "It is closed. Du kannst öffnen oder turn. Open it?"


def test_a_text_from_right_to_left_passes_through_and_its_question_comes_last(tmp_path: Path) -> None:
    write(tmp_path, ar='[states."closed"]\nprompt = "المتجر مغلق. هل أفتحه؟"\n[events."OPEN"]\nlabel = "فتح المتجر"')
    chart = shop(tmp_path)

    told = speech(chart, "ar-EG").status(actor(chart).snapshot)
    assert told == "المتجر مغلق. You can فتح المتجر or turn. هل أفتحه؟"


def test_a_region_takes_its_own_texts_and_its_languages_for_the_rest(tmp_path: Path) -> None:
    chart = shop(write(tmp_path, de=GERMAN, de_AT='[events."OPEN"]\nlabel = "das Geschäft aufsperren"'))
    snapshot = actor(chart).snapshot

    assert "das Geschäft aufsperren oder das Schild umdrehen" in speech(chart, "de-AT").status(snapshot)
    assert "den Laden öffnen" in speech(chart, "de-CH").status(snapshot)


def test_the_file_says_how_people_are_addressed(tmp_path: Path) -> None:
    chart = shop(write(tmp_path, de=f'register = "formal"\n{GERMAN}'))

    assert "Sie können den Laden öffnen" in speech(chart, "de").status(actor(chart).snapshot)


def test_another_machine_in_the_folder_has_files_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, de='machine = "bakery"\n[events."OPEN"]\nlabel = "backen"', es="[parameters]\nsize = 'el tamaño'")
    (tmp_path / "bakery.fr.toml").write_text('[events."OPEN"]\nlabel = "cuire"')
    (tmp_path / "shop.es.toml").write_text('[events."OPEN"]\nlabel = "abrir"')
    chart = shop(tmp_path)

    assert chart.behaviour.locales is not None
    assert [file.path.name for file in chart.behaviour.locales.files] == ["shop.es.toml"]


def test_many_regions_are_served_by_their_language_in_the_end(german: Path) -> None:
    chart, base = shop(german), speech(shop())
    made = {id(base.speaking(chart, [f"de-{number:03}"])) for number in range(1000)}

    assert len(made) <= 65


def test_a_complete_file_is_clean(german: Path) -> None:
    chart = shop(german)

    assert locale_findings(chart) == []
    assert missing(chart, "de") == [] == extra(chart, "de")
    assert list(check_locales(chart)) == []


def test_what_is_missing_is_reported_with_its_key(tmp_path: Path) -> None:
    chart = shop(write(tmp_path, de=GERMAN.replace('TURN = "Umgedreht."', "")))

    assert missing(chart, "de") == [("says", "closed", "TURN")]
    assert list(check_locales(chart)) == [f'{tmp_path / "de.toml"}: [says."closed"] TURN is not translated']
    assert len(missing(chart, "fr")) == len([entry for entry in entries(chart) if entry.texts])
    assert missing(chart, "en-GB") == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('[states."open"]', '[states."opne"]'), 'states."opne"] is not a text of the machine (did you mean'),
        (('[events."TURN"]', '[event."TURN"]'), "event is not a table of a locale file (did you mean 'events'?)"),
        (("working =", "wroking ="), "wroking is not a text of the machine (did you mean 'working'?)"),
        (('large = "groß"', 'lage = "groß"'), "lage is not a text of the machine (did you mean 'large'?)"),
    ],
)
def test_a_slip_in_a_key_is_reported_with_the_nearest_right_one(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    chart = shop(write(tmp_path, de=GERMAN.replace(*change)))
    (doubt,) = check_locales(chart)

    assert told.replace('states."opne"] ', "[states] opne ") in doubt


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            ("für {size}", "für {drink}"),
            '[guards."keyed"] reason: has the slot {drink}, which the original does not have',
        ),
        (("für {size}", "für {size.__class__}"), "which is not a plain field"),
        (("für {size}", "für {size"), "an unmatched brace"),
        (('"Umgedreht."', "3"), '[says."closed"] TURN: is 3; it should be a string'),
        (('"Umgedreht."', '["a", "b"]'), "it should be a string"),
        (("\n[states", 'register = "polite"\n[states'), "register: is 'polite'; it is one of formal, informal"),
    ],
)
def test_what_would_be_said_wrongly_is_an_error(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    chart = shop(write(tmp_path, de=GERMAN.replace(*change, 1)))
    with pytest.raises(DefinitionError) as caught:
        list(check_locales(chart))

    assert told in str(caught.value)
    assert "de.toml" in str(caught.value)


def test_a_slot_that_is_left_out_is_a_doubt(tmp_path: Path) -> None:
    chart = shop(write(tmp_path, de=GERMAN.replace(" für {size}", "")))

    (doubt,) = check_locales(chart)
    assert "leaves out the slot {size}" in doubt


@pytest.mark.parametrize("text", ["[states", 'a = "', "\x00", "a = 1\na = 2"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, text: str) -> None:
    chart = shop(write(tmp_path, de=text))

    with pytest.raises(DefinitionError, match=r"(?s)de\.toml.*is not valid TOML"):
        list(check_locales(chart))
    assert [finding.kind for finding in locale_findings(chart)] == ["unreadable"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = " + "[" * 5000, "too deep"),
        ("a = " + "{a=" * 5000, "too deep"),
        (".".join(["a"] * 60_000) + " = 1", "too deep"),
        ('[events."OPEN"]\nlabel.' + ".".join(["a"] * 3000) + " = 1", "too deep"),
        ("a = " + "9" * 5000, "is not valid TOML"),
        ('[events."OPEN"]\nlabel = 0x' + "f" * 9000, "very long number"),
        ("register = 0x" + "f" * 9000, "very long number"),
    ],
)
def test_a_file_that_is_made_to_break_its_reader_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(DefinitionError, match=rf"(?s)de\.toml.*{told}"):
        list(check_locales(shop(write(tmp_path, de=text))))


def test_what_may_never_end_is_not_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "de.toml")
    (tmp_path / "es.toml").symlink_to("/dev/zero")

    findings = locale_findings(shop(tmp_path))
    assert [(finding.file.name, finding.message) for finding in findings] == [
        ("de.toml", "is not a regular file"),
        ("es.toml", "is not a regular file"),
    ]


def test_a_long_text_is_not_a_deep_key(tmp_path: Path) -> None:
    long = "a" * 300_000 + " " + "Wort. Noch eins. " * 5000
    assert not [
        it for it in locale_findings(shop(write(tmp_path, de=f'[states."closed"]\nprompt = "{long}"'))) if it.is_error
    ]


def test_a_file_that_can_not_be_a_locales_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("nonsense")
    (tmp_path / "notes.txt").write_text("nonsense")

    assert locale_findings(shop(tmp_path)) == []
