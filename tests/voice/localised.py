"""A machine with every kind of text, and its locale files, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from fsmvoice.engine.actor import FsmActor
from fsmvoice.model.behaviour import Behaviour, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.locale_files import LocaleFiles, LocaleFolder
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.voice.reply import Speech, make_speech

SHOP: dict[str, Any] = {
    "id": "shop",
    "initial": "closed",
    "context": {"size": "small"},
    "meta": {
        "prompt": "This is the shop.",
        "events": {
            "OPEN": {"label": "open the shop", "says": "It is open.", "confirm": "Open it?", "working": "Opening."},
            "PICK": {"utterances": ["[a] {size}"]},
        },
        "guards": {"keyed": {"reason": "You have no key for {size}."}},
    },
    "states": {
        "closed": {
            "meta": {"prompt": ["It is closed. Open it?", "Say open."]},
            "on": {
                "OPEN": {"target": "open", "guard": "keyed"},
                "PICK": {"meta": {"reason": "First open it."}},
                "TURN": {"actions": "turn", "meta": {"says": "I turned."}},
            },
        },
        "open": {
            "meta": {"prompt": "What size?"},
            "on": {"PICK": {"actions": "pick"}},
            "after": {"1000": {"target": "closed", "actions": "tire", "meta": {"says": "I closed it."}}},
        },
    },
}

GERMAN = """
[states."*"]
prompt = "Das ist der Laden."
[states."closed"]
prompt = ["Er ist zu. Soll ich ihn öffnen?", "Sag öffnen."]
[states."open"]
prompt = "Welche Größe?"
[events."OPEN"]
label = "den Laden öffnen"
says = "Er ist offen."
confirm = "Soll ich ihn öffnen?"
working = "Ich öffne ihn."
[events."PICK"]
label = "eine Größe wählen"
utterances = ["[eine] {size}"]
[events."TURN"]
label = "das Schild umdrehen"
[guards."keyed"]
reason = "Du hast keinen Schlüssel für {size}."
[forbidden."closed"]
PICK = "Erst muss er offen sein."
[says."closed"]
TURN = "Umgedreht."
[after."tire"]
says = "Ich habe ihn geschlossen."
[parameters]
size = "die Größe"
[values."size"]
small = "klein"
large = "groß"
"""


def shop(folder: Path | None = None, *, key: bool = True) -> Chart:
    size = Literal["small", "large"]
    behaviour = Behaviour(
        actions={name: named_code(name, lambda: None) for name in ("turn", "pick", "tire")},
        guards={"keyed": named_code("keyed", lambda: key, role="guard")},
        payloads={"PICK": Payload("PICK", [Parameter("size", size)])},
        speak=make_speech("en"),
        locales=None if folder is None else LocaleFiles([LocaleFolder(folder, "shop")]),
    )
    return compile_chart(parse_config(SHOP), behaviour)


def write(folder: Path, **texts: str) -> Path:
    """Locale files by their tags, with `_` for `-`."""
    for tag, text in texts.items():
        (folder / f"{tag.replace('_', '-')}.toml").write_text(text, encoding="utf-8")
    return folder


def actor(chart: Chart) -> FsmActor[Any]:
    return FsmActor(chart)


def speech(chart: Chart, *languages: str) -> Speech:
    return make_speech("en").speaking(chart, languages)
