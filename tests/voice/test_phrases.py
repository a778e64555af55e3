"""The framework's own sentences."""

from __future__ import annotations

import pytest

from fsmvoice.errors import RETRY_IS_SAFE
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.phrases.phrases import Phrases, ValueKind

EN = English()


@pytest.mark.parametrize("locale", [None, "en", "en-GB", "EN_us", "tlh"])
def test_a_locale_is_served_by_its_language_and_else_by_english(locale: str | None) -> None:
    assert phrases_for(locale).language == "en"


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["confirm"], "You can confirm."),
        (["confirm", "cancel"], "You can confirm or cancel."),
        (["a", "b", "c"], "You can a, b or c."),
        (["a", "b", "c", "d"], "You can a, b, c, or ask for more."),
    ],
)
def test_at_most_three_options_are_said(labels: list[str], text: str) -> None:
    assert EN.can(labels) == text


@pytest.mark.parametrize("text", ["Sure?", 'Did he say "go?"', "Shall I? Say yes.", "(Really?)"])
def test_a_question_is_recognised(text: str) -> None:
    assert EN.is_question(text)


@pytest.mark.parametrize("text", ["", "Okay.", "Ask me anything", "What?ever"])
def test_a_statement_is_not_a_question(text: str) -> None:
    assert not EN.is_question(text)


@pytest.mark.parametrize(("text", "closed"), [("Ready", "Ready."), ("Ready!", "Ready!"), ('"Go."', '"Go."'), ("", "")])
def test_a_text_is_closed_once(text: str, closed: str) -> None:
    assert EN.closed(text) == closed


@pytest.mark.parametrize("reason", sorted(RETRY_IS_SAFE))
def test_every_failure_has_a_sentence_without_its_code(reason: str) -> None:
    text = EN.failed(reason)  # type: ignore[arg-type]  # the keys are the codes

    assert text.endswith(".")
    assert "-" not in text


def test_sentences_come_back_whole() -> None:
    assert EN.sentences('He said "go." Then? Yes… no') == ['He said "go."', "Then?", "Yes…", "no"]


EVERY = [
    phrases_for(locale) for locale in ("en", "de", "de-x-formal", "es", "es-x-formal", "fr", "fr-x-informal", "ja")
]
LABELS = {
    "en": ["order a coffee", "cancel the order", "ask for the price", "leave"],
    "de": ["einen Kaffee bestellen", "die Bestellung abbrechen", "nach dem Preis fragen", "gehen"],
    "es": ["pedir un café", "cancelar el pedido", "preguntar el precio", "ordenar la mesa"],
    "fr": ["commander un café", "annuler la commande", "demander le prix", "partir"],
    "ja": ["コーヒーを注文する", "注文を取り消す", "値段を聞く", "帰る"],
}
NAMES = {
    "en": ["size"],
    "de": ["die Größe", "der Name", "das Getränk", "size"],
    "es": ["el tamaño"],
    "fr": ["la taille"],
    "ja": ["サイズ"],
}
KINDS: list[ValueKind] = ["integer", "number", "text", "date", "time", "list", "details"]


def everything(phrases: Phrases) -> dict[str, str]:
    """Every sentence of a language, filled in, by what it is."""
    labels, names = LABELS[phrases.language], NAMES[phrases.language]
    label, other = labels[0], labels[1]
    plain = ("okay", "finished", "broken", "wait", "starting_over", "not_heard")
    found = {name: getattr(phrases, name) for name in plain}
    found |= {f"failed {reason}": phrases.failed(reason) for reason in phrases.failures}
    for count in range(1, 5):
        found[f"can {count}"] = phrases.can(labels[:count])
    found |= {"meant two": phrases.meant(labels[:2]), "meant three": phrases.meant(labels[:3])}
    found["start over"] = phrases.can([phrases.start_over])
    found["other choices"] = phrases.can([phrases.other_choices])
    for name, told in (
        ("cannot", phrases.cannot),
        ("cannot_so", phrases.cannot_so),
        ("left_alone", phrases.left_alone),
    ):
        found |= {f"{name} {it}": told(it) for it in (label, other)}
    found["finished_without"] = phrases.finished_without(other)
    for name in names:
        found |= {
            f"{name} can_be": phrases.can_be(name, ["x", "y"]),
            f"{name} which": phrases.which(name, ["x", "y", "z"]),
            f"{name} which of one": phrases.which(name, ["x"]),
            f"{name} which of many": phrases.which_of_many(name, ["x", "y", "z"]),
            f"{name} whether": phrases.whether(name),
            f"{name} not understood": phrases.not_understood(name),
            f"{name} too long": phrases.too_long(name),
            f"{name} too short": phrases.too_short(name),
            f"{name} also needed": phrases.also_needed(name, names[0]),
            f"{name} also wrong": phrases.also_wrong(name),
            f"{name} meant": phrases.unknown_detail("foo", name, names, label),
            f"{name} known": phrases.unknown_detail("foo", None, names, other),
        }
        for kind in KINDS:
            for low, high in ((None, None), ("1", None), (None, "9"), ("1", "9"), ("4", "4")):
                found[f"{name} what {kind} {low} {high}"] = phrases.what(name, kind, low, high)
    found["nothing known"] = phrases.unknown_detail("foo", None, [], label)
    found["not a choice"], found["not possible"] = phrases.not_a_choice("tea"), phrases.not_possible("12")
    return found


def ids(phrases: Phrases) -> str:
    return phrases.tag


@pytest.mark.parametrize("phrases", EVERY, ids=ids)
def test_every_language_says_everything(phrases: Phrases) -> None:
    said = everything(phrases)

    assert set(phrases.failures) == set(EN.failures)
    for name, text in said.items():
        assert text.strip() == text != "", name
        assert text[-1] in ".?。？", f"{name}: {text}"
        assert "  " not in text, text
        assert "{" not in text, text
        assert "None" not in text, text


@pytest.mark.parametrize("phrases", EVERY, ids=ids)
def test_a_language_asks_at_most_once_and_last(phrases: Phrases) -> None:
    for name, text in everything(phrases).items():
        asking = [phrases.asks(sentence) for sentence in phrases.sentences(text)]
        assert True not in asking[:-1], f"{name}: {text}"
    questions = [phrases.which("x", ["a"]), phrases.what("x", "text", None, None), phrases.whether("x")]
    assert all(map(phrases.is_question, questions))


@pytest.mark.parametrize("phrases", [it for it in EVERY if it.language != "en"], ids=ids)
def test_no_phrase_is_left_in_english(phrases: Phrases) -> None:
    english = set(everything(EN).values())
    said = set(everything(phrases).values()) - {"Okay."}

    assert not said & english
    own = [phrases.instructions("Doc."), phrases.subject("coffee"), *phrases.tool_status("x"), *phrases.what_can_i_do]
    theirs = [EN.instructions("Doc."), EN.subject("coffee"), *EN.tool_status("x"), *EN.what_can_i_do]
    assert not set(own) & set(theirs)
    assert all(phrases.use_after(["a"], ["b"], always=flag) for flag in (True, False))


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("de", "Du kannst einen Kaffee bestellen oder die Bestellung abbrechen."),
        ("de-AT-x-formal", "Sie können einen Kaffee bestellen oder die Bestellung abbrechen."),
        ("es", "Puedes pedir un café o cancelar el pedido."),
        ("es-MX-x-formal", "Puede pedir un café o cancelar el pedido."),
        ("fr", "Vous pouvez commander un café ou annuler la commande."),
        ("fr-x-informal", "Tu peux commander un café ou annuler la commande."),
        ("ja", "コーヒーを注文するか、注文を取り消すことができます。"),
        ("en-x-formal", "You can order a coffee or cancel the order."),
    ],
)
def test_people_are_addressed_as_the_locale_says(locale: str, text: str) -> None:
    phrases = phrases_for(locale)

    assert phrases.can(LABELS[phrases.language][:2]) == text


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "de",
            {
                "which": "Welche Größe soll es sein: x oder y?",
                "not_understood": "Eine Angabe habe ich nicht verstanden: die Größe.",
            },
        ),
        ("es", {"which": "Para el tamaño, ¿qué prefieres: x o y?", "not_understood": "No he entendido el tamaño."}),
        (
            "fr",
            {
                "which": "Pour la taille, que préférez-vous : x ou y ?",
                "not_understood": "Je n'ai pas compris la taille.",
            },
        ),
        ("ja", {"which": "サイズはx、yのどちらにしますか？", "not_understood": "サイズがわかりませんでした。"}),
    ],
)
def test_names_stand_in_sentences_as_they_should(locale: str, said: dict[str, str]) -> None:
    phrases = phrases_for(locale)
    name = NAMES[locale][0]

    assert {"which": phrases.which(name, ["x", "y"]), "not_understood": phrases.not_understood(name)} == said


def test_words_change_before_the_sound_that_follows() -> None:
    spanish, french = phrases_for("es"), phrases_for("fr")

    assert spanish.either(["plata", "oro"]) == "plata u oro"
    assert spanish.both(["madre", "hija"]) == "madre e hija"
    assert spanish.both(["agua", "hielo"]) == "agua y hielo"
    assert french.cannot("annuler la commande") == "Pour le moment, impossible d'annuler la commande."
    assert french.cannot("commander un café") == "Pour le moment, impossible de commander un café."


def test_japanese_needs_no_blanks_and_asks_with_or_without_a_mark() -> None:
    japanese = phrases_for("ja")

    assert japanese.sentences("はい。次は何ですか。「そうですか？」と言う。") == [
        "はい。",
        "次は何ですか。",
        "「そうですか？」",
        "と言う。",
    ]
    assert japanese.is_question("次は何になさいますか。")
    assert not japanese.is_question("わかりました。")
    assert japanese.joined(["一。", "二。"]) == "一。二。"
    assert japanese.closed("ラテ") == "ラテ。"


def test_a_question_in_quotes_within_a_sentence_is_not_a_question() -> None:
    text = 'Say "what is it?" to hear more.'
    assert EN.sentences(text) == [text]
    assert not EN.is_question(text)
    assert EN.sentences("“A tea?” Then say so.") == ["“A tea?”", "Then say so."]


def test_a_question_may_be_a_cry() -> None:
    assert EN.asks("A tea?!")
    assert not EN.asks("A tea!")
