"""Real speech: espeak-ng speaks, pocketsphinx hears, and the coffee is ordered."""

from __future__ import annotations

import json
import shutil
import subprocess
import wave
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsmvoice.cli.__main__ import main

COFFEE = Path(__file__).parents[2] / "examples" / "coffee.py"
ORDERS = [
    (["could i get a large latte please", "yes", "is it ready"], ["ORDER", "CONFIRM", "READY"]),
    (["a small cappuccino", "no thanks"], ["ORDER", "CANCEL"]),
    (["espresso please", "place the order"], ["ORDER", "CONFIRM"]),
    (["i'd like a flat white", "cancel the order", "make me an americano"], ["ORDER", "CANCEL", "ORDER"]),
]
FOREIGN = [
    "how old is the queen of england",
    "the train leaves at seven tomorrow",
    "my brother plays the guitar",
    "what is the capital of france",
    "turn off the kitchen lights",
    "i lost my keys in the garden",
    "the weather will be sunny",
    "please call my mother",
    "there are seven days in a week",
    "he bought a new red bicycle",
]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def tools() -> None:
    pytest.importorskip("pocketsphinx", reason="pocketsphinx (the extra 'speech') is not installed")
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")


def spoken(text: str, voice: str, file: Path) -> Path:
    """`text` as a recording, with 0.3 seconds of silence round it."""
    raw = file.with_suffix(".raw.wav")
    subprocess.run(["espeak-ng", "-v", voice, "-s", "140", "-w", str(raw), text], check=True, capture_output=True)
    with wave.open(str(raw), "rb") as source, wave.open(str(file), "wb") as target:
        target.setparams(source.getparams())
        silence = bytes(2 * int(source.getframerate() * 0.3))
        target.writeframes(silence + source.readframes(source.getnframes()) + silence)
    return file


def talk(files: list[Path]) -> list[dict[str, object]]:
    arguments = ["talk", str(COFFEE), "--json", *(part for file in files for part in ("--wav", str(file)))]
    result = CliRunner().invoke(main, arguments, prog_name="fsmvoice", catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("voice", ["en-us+f2", "en-us+m3"])
def test_a_coffee_is_ordered_in_speech(voice: str, tmp_path: Path) -> None:
    right = 0
    for number, (phrases, events) in enumerate(ORDERS):
        files = [spoken(text, voice, tmp_path / f"{number}-{n}.wav") for n, text in enumerate(phrases)]
        for turn, event in zip(talk(files), events, strict=True):
            assert turn["event"] in (event, None), turn
            right += turn["event"] == event and turn["ok"] is True
    assert right >= 9


@pytest.mark.parametrize("voice", ["en-us+f2", "en-us+m3"])
def test_other_talk_changes_nothing(voice: str, tmp_path: Path) -> None:
    turns = talk([spoken(text, voice, tmp_path / f"{n}.wav") for n, text in enumerate(FOREIGN)])
    assert {turn["state"] for turn in turns} == {"idle"}
    assert not [turn for turn in turns if turn["ok"] and turn["event"] not in (None, "STATUS", "HELP", "REPEAT")]


@pytest.mark.parametrize("voice", ["en-us+f2", "en-us+m3"])
def test_other_talk_confirms_nothing(voice: str, tmp_path: Path) -> None:
    order = spoken("espresso please", "en-us+f2", tmp_path / "order.wav")
    turns = talk([order, *(spoken(text, voice, tmp_path / f"{n}.wav") for n, text in enumerate(FOREIGN))])
    assert {turn["state"] for turn in turns} == {"ordering"}


@pytest.mark.parametrize("voice", ["en-us+f2", "en-us+m3"])
def test_other_talk_ends_no_brewing(voice: str, tmp_path: Path) -> None:
    """The first two of these were once taken for "my coffee is done"."""
    lead = [spoken(text, "en-us+f2", tmp_path / f"{text}.wav") for text in ("espresso please", "yes")]
    other = ("my sister lives in berlin", "tell me something about dinosaurs", "what time does the bus leave")
    files = [*lead, *(spoken(text, voice, tmp_path / f"{text}.wav") for text in (*other, "is my coffee ready"))]
    *turns, last = talk(files)
    assert {turn["state"] for turn in turns[1:]} == {"brewing"}
    assert last["state"] == "done"
