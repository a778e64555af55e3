"""Words that mean the same everywhere: each phrase means one thing, and what only begins like one means nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmvoice import VoiceMachine, hear
from fsmvoice.cli.target import load_target
from fsmvoice.voice.heard import Match
from fsmvoice.voice.phrases.catalogue import LANGUAGES as PHRASES
from fsmvoice.voice.roles.languages import LANGUAGES, roles_for

EXAMPLE = Path(__file__).parents[3] / "examples" / "coffee.py"
GERMAN = """
[states.idle]
prompt = "Was möchten Sie?"
[events.ORDER]
label = "ein Getränk bestellen"
utterances = ["(ich möchte|ich hätte gern|gib mir|einmal) [einen|eine] [{size}] {drink}"]
[events.CONFIRM]
label = "die Bestellung aufgeben"
[events.CANCEL]
label = "die Bestellung abbrechen"
[values.size]
small = "kleinen"
medium = "mittleren"
large = "großen"
[values.drink]
latte = "Milchkaffee"
"""


def test_each_language_that_speaks_hears() -> None:
    assert set(LANGUAGES) == set(PHRASES)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_each_phrase_means_its_role_and_no_other(tag: str) -> None:
    roles = LANGUAGES[tag]
    for role, phrases in roles.phrases.items():
        for phrase in phrases:
            assert roles.role(phrase) == role, phrase
            assert roles.role(f"{phrase}!") == role, phrase


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Yeah, sure, go ahead please", "yes"),
        ("mm-hmm", "yes"),
        ("OK then", "yes"),
        ("no, no, forget it", "no"),
        ("I don't want that, sorry", "no"),
        ("what can I say?", "help"),
        ("which drinks do you have", "help"),
        ("could you repeat that please", "repeat"),
        ("let's start over", "start_over"),
        ("yeah, no", None),
        ("yes and no", None),
        ("good morning", None),
        ("maybe", None),
        ("please", None),
        ("", None),
    ],
)
def test_english_is_understood(text: str, role: str | None) -> None:
    assert roles_for("en-GB").role(text) == role


@pytest.mark.parametrize(
    ("tag", "text", "role"),
    [
        ("de", "Äh, nein danke", "no"),
        ("de", "ja, gerne", "yes"),
        ("fr", "Non, merci !", "no"),
        ("fr", "d'accord", "yes"),
        ("es", "¡Sí, por favor!", "yes"),
        ("es", "otra vez, por favor", "repeat"),
        ("ja", "はい、お願いします", "yes"),
        ("ja", "いいえ、結構です", "no"),
    ],
)
def test_other_languages_are_understood(tag: str, text: str, role: str) -> None:
    assert roles_for(tag).role(text) == role


@pytest.mark.parametrize(
    ("state", "text", "event", "payload"),
    [
        ("idle", "Ich hätte gern einen großen Milchkaffee, bitte", "ORDER", {"drink": "latte", "size": "large"}),
        ("idle", "Äh, könnte ich einen kleinen Espresso haben", "ORDER", {"drink": "espresso", "size": "small"}),
        ("ordering", "Ja, gerne", "CONFIRM", {}),
        ("ordering", "Das will ich nicht", "CANCEL", {}),
    ],
)
def test_a_locale_files_utterances_are_heard(
    tmp_path: Path, state: str, text: str, event: str, payload: dict[str, str]
) -> None:
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "de.toml").write_text(GERMAN)
    (tmp_path / "shop.py").write_text(EXAMPLE.read_text())
    machine = load_target(str(tmp_path / "shop.py")).machine
    assert isinstance(machine, type)
    assert issubclass(machine, VoiceMachine)
    heard = hear(machine.at(state, drink="latte").snapshot, text, locale="de")
    assert isinstance(heard, Match)
    assert (heard.event, dict(heard.payload)) == (event, payload)
