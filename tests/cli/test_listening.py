"""`fsmvoice talk --listen`, with a program in the recorder's place that says what a microphone would hear."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsmvoice.cli.__main__ import main
from fsmvoice.cli.sound import QUIET, RATE, Microphone, read_wave

COFFEE = Path(__file__).parents[2] / "examples" / "coffee.py"
SILENCE = bytes(2 * RATE)


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the recorder is; a test writes what it does."""
    pytest.importorskip("pocketsphinx", reason="pocketsphinx (the extra 'speech') is not installed")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "arecord"


def does(recorder: Path, script: str) -> None:
    recorder.write_text(f"#!/bin/sh\n{script}\n")
    recorder.chmod(0o755)


def listen() -> Result:
    return CliRunner().invoke(main, ["talk", str(COFFEE), "--listen", "--json"], prog_name="fsmvoice")


def test_a_recorder_that_finds_no_microphone_is_reported_with_its_reason(recorder: Path) -> None:
    does(recorder, "echo 'audio open error: No such file or directory' >&2; exit 1")
    result = listen()
    assert result.exit_code == 2
    assert "can't record: audio open error: No such file or directory; check that a microphone" in result.output


def test_without_a_recorder_it_says_what_to_install(recorder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(recorder.parent))
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    result = listen()
    assert result.exit_code == 2
    assert "alsa-utils" in result.output


def test_a_recorder_that_ends_ends_the_conversation(recorder: Path) -> None:
    does(recorder, "exit 0")
    result = listen()
    assert (result.exit_code, result.stdout) == (0, "")


def test_what_was_recorded_while_it_spoke_is_forgotten(recorder: Path) -> None:
    folder = recorder.parent
    first, own, last = (bytes([0, loud]) * RATE + SILENCE for loud in (16, 32, 48))
    for name, sound in (("first", SILENCE + first), ("own", own[: len(own) // 2]), ("last", SILENCE + last)):
        (folder / name).write_bytes(sound)
    os.mkfifo(folder / "spoken")
    os.mkfifo(folder / "go")
    does(recorder, f"cd '{folder}'; cat first own; echo > spoken; read _ < go; cat last")
    with Microphone() as microphone:
        assert microphone.utterance() == heard_of(first)
        (folder / "spoken").read_text()
        microphone.forget()
        (folder / "go").write_text("now\n")
        assert microphone.utterance() == heard_of(last)


def heard_of(sound: bytes) -> bytes:
    """A second of sound, and the silence that ends it."""
    return sound[: 2 * RATE + int(QUIET * 20) * (RATE // 10)]


@pytest.mark.slow
def test_a_coffee_is_ordered_by_microphone(recorder: Path, tmp_path: Path) -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    sound = SILENCE
    for text in ("can i get a large latte", "yes please"):
        file = tmp_path / "said.wav"
        subprocess.run(["espeak-ng", "-v", "en-us+f2", "-s", "140", "-w", str(file), text], check=True)
        sound += read_wave(file) + SILENCE
    (tmp_path / "said.raw").write_bytes(sound)
    does(recorder, f"cat '{tmp_path}/said.raw'")
    turns = [json.loads(line) for line in listen().stdout.splitlines()]
    assert [(turn["event"], turn["state"]) for turn in turns] == [("ORDER", "ordering"), ("CONFIRM", "brewing")]


def heed_interrupts() -> None:
    """As in a terminal. A job in the background of a shell ignores Ctrl-C, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_ctrl_c_ends_it_while_nobody_speaks(recorder: Path) -> None:
    does(recorder, "cat /dev/zero")
    command = [sys.executable, "-m", "fsmvoice.cli", "talk", str(COFFEE), "--listen"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - it only sets a signal handler
    ) as process:
        assert process.stderr is not None
        assert "listening" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0
