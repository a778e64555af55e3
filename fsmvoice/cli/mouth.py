"""Speech synthesis with piper, if it and a voice are installed, or else with espeak-ng."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

from fsmvoice.cli.problem import Failure

Say = Callable[[str], None]
_PLAYERS = (["aplay", "-q"], ["play", "-q"], ["afplay"], ["paplay"])


def mouth(locale: str) -> Say:
    """A function that speaks a text, and returns when it has been spoken.

    Raises:
        Failure: if no speech synthesizer is installed.
    """
    voice = os.environ.get("PIPER_VOICE")
    player = next((command for command in _PLAYERS if shutil.which(command[0])), None)
    if voice and shutil.which("piper") and player is not None:
        return lambda text: _piper(text, voice, player)
    program = shutil.which("espeak-ng") or shutil.which("espeak")
    if program is None:
        raise Failure(
            "no speech synthesizer is installed; install espeak-ng (Debian: apt install espeak-ng), "
            "or piper with PIPER_VOICE set to a voice's .onnx file"
        )
    return lambda text: _espeak(text, program, locale)


def _espeak(text: str, program: str, locale: str) -> None:
    """The text is passed on stdin, because one that starts with a hyphen would be read as an option."""
    done = _run([program, "-v", locale.lower(), "-s", "150", "--stdin"], text.encode(errors="replace"))
    if done.returncode and b"voice" in done.stderr.lower():
        done = _run(
            [program, "-v", locale.partition("-")[0].lower(), "-s", "150", "--stdin"], text.encode(errors="replace")
        )
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failure(f"{os.path.basename(program)} failed: {told[-1] if told else 'no error message'}")


def _piper(text: str, voice: str, player: list[str]) -> None:
    done = _run(["piper", "--model", voice, "--output_file", "-"], text.encode(errors="replace"))
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise Failure(f"piper failed: {told[-1] if told else 'no error message'}")
    _run([*player, "-"], done.stdout)


def _run(command: list[str], given: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, input=given, capture_output=True, check=False)  # noqa: S603 - a program found above
