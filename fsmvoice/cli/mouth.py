"""Saying replies aloud: with piper where it and a voice of it are there, else with espeak-ng."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from fsmvoice.cli.problem import Failure

Say = Callable[[str], None]
_PLAYERS = (["aplay", "-q"], ["play", "-q"], ["afplay"], ["paplay"])


def mouth(locale: str) -> Say:
    """What says a text aloud, and returns when it is said.

    Raises:
        Failure: if there is nothing that speaks.
    """
    voice = os.environ.get("PIPER_VOICE")
    player = next((command for command in _PLAYERS if shutil.which(command[0])), None)
    if voice and shutil.which("piper") and player is not None:
        return lambda text: _piper(text, voice, player)
    program = shutil.which("espeak-ng") or shutil.which("espeak")
    if program is None:
        raise Failure(
            "there is nothing to speak with; install espeak-ng (Debian: apt install espeak-ng), "
            "or piper with PIPER_VOICE set to a voice's .onnx file"
        )
    return lambda text: _espeak(text, program, locale)


def _espeak(text: str, program: str, locale: str) -> None:
    """The text goes in on stdin: it may begin with a hyphen, and it is not an option then."""
    done = _run([program, "-v", locale.lower(), "-s", "150", "--stdin"], text.encode(errors="replace"))
    if done.returncode and b"voice" in done.stderr.lower():
        done = _run(
            [program, "-v", locale.partition("-")[0].lower(), "-s", "150", "--stdin"], text.encode(errors="replace")
        )
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failure(f"{os.path.basename(program)} can't speak: {told[-1] if told else 'it says not why'}")


def _piper(text: str, voice: str, player: list[str]) -> None:
    done = _run(["piper", "--model", voice, "--output_file", "-"], text.encode(errors="replace"))
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failure(f"piper can't speak: {told[-1] if told else 'it says not why'}")
    _run([*player, "-"], done.stdout)


def _run(command: list[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603 - a program found above
