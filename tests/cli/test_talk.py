"""`fsmvoice talk` as someone who types meets it, and as a script does."""

from __future__ import annotations

import array
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fsmvoice.cli.__main__ import main
from fsmvoice.cli.sound import NOISE, RATE, read_wave
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
COFFEE = str(ROOT / "examples" / "coffee.py")
CONFIRMED = """\
from datetime import timedelta
from pydantic import BaseModel
from fsmvoice import State, VoiceMachine, after, spoken, transition

class Order(BaseModel):
    drink: str = "latte"

class Shop(VoiceMachine[Order], id="shop"):
    idle = State(initial=True, prompt="Here is your {drink}.")
    empty = State(final=True, prompt="It is gone.")

    @spoken("throw it away", confirm="Throw your {drink} away?")
    @transition("THROW", source=idle, target=empty)
    def throw(self) -> None: ...

    @spoken("swap it")
    @transition("SWAP", source=idle)
    def swap(self) -> None:
        self.context.drink = "mocha"
"""


def script(run: Run, target: str, *lines: str, more: tuple[str, ...] = ("--json",)) -> list[dict[str, Any]]:
    Path("script.txt").write_text("\n".join(lines))
    result = run("talk", target, "--script", "script.txt", *more)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_script_is_answered_line_by_line_as_json(run: Run) -> None:
    turns = script(run, COFFEE, "# a customer", "", "could I get a large latte please", "  yes please  ")
    assert turns == [
        {
            "heard": "could I get a large latte please",
            "event": "ORDER",
            "payload": {"size": "large", "drink": "latte"},
            "ok": True,
            "reason": None,
            "say": "One large latte. Shall I place it?",
            "state": "ordering",
        },
        {
            "heard": "yes please",
            "event": "CONFIRM",
            "payload": {},
            "ok": True,
            "reason": None,
            "say": "Brewing your latte now. You can say it is ready.",
            "state": "brewing",
        },
    ]


def test_what_is_missing_is_asked_for_and_a_value_answers(run: Run) -> None:
    first, second = script(run, COFFEE, "a large coffee please", "latte")
    assert (first["ok"], first["reason"], first["payload"]) == (False, "invalid-arguments", {"size": "large"})
    assert first["say"].startswith("Which drink would you like")
    assert (second["event"], second["payload"]) == ("ORDER", {"size": "large", "drink": "latte"})


def test_what_is_not_understood_changes_nothing_and_says_what_can_be_done(run: Run) -> None:
    (turn,) = script(run, COFFEE, "what's the wifi password")
    assert (turn["event"], turn["reason"], turn["state"]) == (None, "no-match", "idle")
    assert turn["say"] == "Sorry, I didn't get that. You can order a drink. What would you like?"


def test_help_repeat_status_and_start_over_are_events_of_the_conversation(run: Run) -> None:
    turns = script(run, COFFEE, "help", "a latte", "pardon", "where are we", "start over")
    assert [turn["event"] for turn in turns] == ["HELP", "ORDER", "REPEAT", "STATUS", "START_OVER"]
    assert turns[2]["say"] == turns[1]["say"]
    assert turns[4]["state"] == "idle"
    assert all(turn["ok"] for turn in turns)


def test_a_refusal_has_its_reason(run: Run) -> None:
    sold_out, too_early = script(run, COFFEE, "a mocha please", "cancel it")
    assert (sold_out["reason"], sold_out["say"][:20]) == ("guard-rejected", "We are out of mocha.")
    assert (too_early["event"], too_early["reason"]) == ("CANCEL", "no-transition")


@pytest.mark.parametrize(
    ("answer", "event", "reason", "state"),
    [
        ("yes", "THROW", None, "empty"),
        ("no thanks", "THROW", "refused", "idle"),
        ("maybe", None, "no-match", "idle"),
    ],
)
def test_a_confirmed_event_is_asked_about_first(  # noqa: PLR0917 - pytest passes them by name
    run: Run, folder: Path, answer: str, event: str | None, reason: str | None, state: str
) -> None:
    (folder / "shop.py").write_text(CONFIRMED)
    asked, answered = script(run, "shop.py", "throw it away", answer)
    assert (asked["reason"], asked["say"]) == ("needs-confirmation", "Throw your latte away?")
    assert (answered["event"], answered["reason"], answered["state"]) == (event, reason, state)


def test_a_question_that_reads_differently_now_is_asked_again(run: Run, folder: Path) -> None:
    (folder / "shop.py").write_text(CONFIRMED)
    turns = script(run, "shop.py", "throw it away", "swap it", "throw it away", "hm", "yes")
    assert [turn["say"] for turn in turns[2:4]] == [
        "Throw your mocha away?",
        "Sorry, I didn't get that. Throw your mocha away?",
    ]
    assert turns[4]["state"] == "empty"


def test_what_is_piped_in_is_a_script_too(run: Run) -> None:
    result = CliRunner().invoke(main, ["talk", COFFEE], input="a latte\nyes\n", prog_name="fsmvoice")
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "You can order a drink. What would you like?",
        "> a latte",
        "  ORDER drink=latte -> ordering",
        "One medium latte. Shall I place it?",
        "> yes",
        "  CONFIRM -> brewing",
        "Brewing your latte now. You can say it is ready.",
    ]


def test_another_language_is_spoken(run: Run, folder: Path) -> None:
    (folder / "door.py").write_text(
        "from fsmvoice import State, VoiceMachine, spoken, transition\n"
        "class Door(VoiceMachine, locale='de'):\n"
        "    zu = State(initial=True)\n    auf = State()\n"
        "    @spoken('die Tür öffnen', utterances=['(öffne|mach) die Tür [auf]'])\n"
        "    @transition('OPEN', source=zu, target=auf)\n    def oeffnen(self) -> None: ...\n"
        "    @transition('CLOSE', source=auf, target=zu)\n    def schliessen(self) -> None: ...\n"
    )
    turns = script(run, "door.py", "Könntest du bitte die Tür öffnen", "noch einmal von vorne", "bla")
    assert [turn["event"] for turn in turns] == ["OPEN", "START_OVER", None]
    assert turns[2]["say"].startswith("Das habe ich nicht verstanden.")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--script", "none.txt"), "can't read none.txt"),
        (("--wav", "none.wav"), "can't read none.wav"),
        (("--script", "a", "--listen"), "can't be combined"),
        (("--wav", "none.wav", "--locale", "de"), "English only"),
    ],
)
def test_what_cannot_be_heard_is_reported(run: Run, arguments: tuple[str, ...], told: str) -> None:
    if "--wav" in arguments:
        pytest.importorskip("pocketsphinx", reason="pocketsphinx (the extra 'speech') is not installed")
    result = run("talk", COFFEE, *arguments)
    assert result.exit_code == 2
    assert told in result.output


def test_a_file_that_is_not_a_sound_is_reported(run: Run, folder: Path) -> None:
    pytest.importorskip("pocketsphinx", reason="pocketsphinx (the extra 'speech') is not installed")
    (folder / "x.wav").write_text("no sound")
    assert "x.wav: is not a valid WAV file" in run("talk", COFFEE, "--wav", "x.wav").output


def wav(file: Path, rate: int, channels: int, width: int, seconds: float = 0.2) -> Path:
    count = int(rate * seconds)
    with wave.open(str(file), "wb") as target:
        target.setnchannels(channels)
        target.setsampwidth(width)
        target.setframerate(rate)
        value = {1: b"\xa0", 2: struct.pack("<h", 8192), 3: b"\x00\x00\x20", 4: struct.pack("<i", 8192 << 16)}[width]
        target.writeframes(value * channels * count)
    return file


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100, 48000])
@pytest.mark.parametrize(("channels", "width"), [(1, 2), (2, 2), (1, 1), (2, 3), (1, 4)])
def test_a_recording_of_any_kind_is_read_as_16_khz(folder: Path, rate: int, channels: int, width: int) -> None:
    samples = array.array("h", read_wave(wav(folder / "x.wav", rate, channels, width)))
    assert abs(len(samples) - RATE // 5) <= 1
    middle = samples[len(samples) // 4 : -len(samples) // 4]
    assert all(abs(value - 8192) < 8192 * 0.02 + NOISE for value in middle)


def test_a_long_recording_is_not_an_utterance(folder: Path) -> None:
    with pytest.raises(ValueError, match="longer than 60 seconds"):
        read_wave(wav(folder / "x.wav", 8000, 1, 1, seconds=61))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_typing_has_commands_and_ends_with_ctrl_d(folder: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fsmvoice.cli", "talk", COFFEE]
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(folder),
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True)
    os.close(theirs)
    seen = ""

    def until(text: str) -> None:
        nonlocal seen
        while text not in seen:
            seen += os.read(ours, 4096).decode(errors="replace")
        seen = seen.partition(text)[2]

    try:
        until("What would you like?")
        os.write(ours, b"a large latte\n")
        until("ORDER size=large, drink=latte -> ordering")
        until("Shall I place it?")
        os.write(ours, b":state\n")
        until("possible: CONFIRM, CANCEL")
        os.write(ours, b":help\n")
        until("like Ctrl-D")
        until("> ")  # before the prompt, Ctrl-D would not end the input
        os.write(ours, b"\x04")
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert "a large latte" in (folder / "fsmvoice" / "talk_history").read_text()


def test_replies_are_said_aloud(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = folder / "said.txt"
    program = folder / "espeak-ng"
    program.write_text(f"#!/bin/sh\ncat >> {said}\necho >> {said}\n")
    program.chmod(0o755)
    shell = Path(shutil.which("sh") or "/bin/sh").parent
    monkeypatch.setenv("PATH", f"{folder}:{shell}")
    script(run, COFFEE, "a latte", more=("--speak", "--json"))
    assert said.read_text().splitlines() == [
        "You can order a drink. What would you like?",
        "One medium latte. Shall I place it?",
    ]


def test_without_anything_that_speaks_it_is_told_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "install espeak-ng" in run("talk", COFFEE, "--speak").output


def test_a_language_that_the_machine_has_no_texts_in_is_reported_and_not_mixed_in(folder: Path, run: Run) -> None:
    (folder / "shop.py").write_text(CONFIRMED)
    (folder / "words.txt").write_text("bonjour\n")
    result = run("talk", "shop.py", "--locale", "fr", "--script", "words.txt")
    assert "there are no texts in fr, so en is used" in result.stderr
    assert "compris" not in result.stdout


def test_what_the_last_words_have_set_off_is_done_before_it_ends(folder: Path, run: Run) -> None:
    (folder / "tea.json").write_text(
        '{"initial": "a", "states": {"a": {"on": {"GO": {"actions": "go"}}}},'
        ' "meta": {"events": {"GO": {"label": "go", "utterances": ["go"]}}}}'
    )
    (folder / "tea.py").write_text(
        "from pathlib import Path\n"
        "def go(later): later('mail')\n"
        "async def mail(): Path('sent').touch()\n"
        "actions, effects = {'go': go}, {'mail': mail}\n"
    )
    (folder / "words.txt").write_text("go\n")
    run("talk", "tea.json", "--behaviour", "tea.py", "--script", "words.txt")
    assert (folder / "sent").exists()
