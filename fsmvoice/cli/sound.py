"""Sound for the recognizer, 16-bit mono at 16 kHz, from WAV files of any kind and from the microphone."""

from __future__ import annotations

import array
import math
import operator
import os
import random
import shutil
import signal
import subprocess
import sys
import wave
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from fsmvoice.cli.problem import Failure

RATE = 16_000
MAX_SECONDS = 60
"""The longest utterance."""
NOISE = 120
"""The amplitude of the added noise, of 32767."""
WIDTH = 12
"""The number of samples on each side that a resampled one is computed from."""
MAX_FILTERS = 1000
_BLOCK = RATE // 20 * 2
"""The bytes of a block of 1/20 second."""
QUIET = 0.7
"""The seconds of silence that end an utterance."""
_ABOVE_NOISE = 4
"""How many times louder than the background speech is."""
_QUIETEST_SPEECH = 300
"""The lowest loudness (root mean square) of speech, of 32767."""
_NOISE_RISES = 1.02
"""The fastest rise of the estimated background noise per block."""


def read_wave(file: Path) -> bytes:
    """The sound of a WAV file.

    Raises:
        OSError: if it can't be read.
        ValueError: if it is not a valid WAV file, or is too long.
    """
    try:
        with wave.open(str(file), "rb") as source:
            channels, width, rate, length = source.getparams()[:4]
            if length > MAX_SECONDS * rate:
                raise ValueError(f"is longer than {MAX_SECONDS} seconds; use one file for each utterance")
            data = source.readframes(length)
    except (wave.Error, EOFError) as error:
        raise ValueError(f"is not a valid WAV file: {error or 'it is truncated'}") from None
    return resampled(_mono(_samples(data, width), channels), rate)


def _samples(data: bytes, width: int) -> array.array[int]:
    """Samples of 1 to 4 bytes as 16-bit ones."""
    if width == 2:
        found = array.array("h", data[: len(data) // 2 * 2])
        if sys.byteorder == "big":
            found.byteswap()
        return found
    if width == 1:
        return array.array("h", [(value - 128) << 8 for value in data])
    high = range(width - 2, len(data) // width * width, width)
    return array.array("h", [int.from_bytes(data[at : at + 2], "little", signed=True) for at in high])


def _mono(samples: array.array[int], channels: int) -> array.array[int]:
    if channels == 1:
        return samples
    frames = range(0, len(samples) // channels * channels, channels)
    return array.array("h", [sum(samples[at : at + channels]) // channels for at in frames])


def resampled(samples: array.array[int], rate: int) -> bytes:
    """Samples at `rate` as bytes at 16 kHz, with inaudible noise added: the recognizer fails after digital silence."""
    found = samples if rate == RATE else _through_windows(samples, rate)
    noise = random.Random(RATE)  # noqa: S311 - the same noise every time, for reproducible results
    heard = array.array("h", [max(-32768, min(32767, value + noise.randint(-NOISE, NOISE))) for value in found])
    if sys.byteorder == "big":
        heard.byteswap()
    return heard.tobytes()


def _through_windows(samples: array.array[int], rate: int) -> array.array[int]:
    """Resample with windowed sinc filters, one for each position of a new sample between two old ones."""
    shared = math.gcd(RATE, rate)
    up, down = RATE // shared, rate // shared
    if up > MAX_FILTERS:
        raise ValueError(f"has the unusual sample rate {rate}; record at 16000 or 44100")
    half = math.ceil(WIDTH * max(1.0, rate / RATE))
    filters = [_filter(place / up, half, min(1.0, RATE / rate) * 0.95) for place in range(up)]
    padding = array.array("h", bytes(2 * half))
    around = padding + samples + padding + padding
    found = array.array("h", bytes(2 * (len(samples) * RATE // rate)))
    for number in range(len(found)):
        start, place = divmod(number * down, up)
        window = around[start + 1 : start + 1 + 2 * half]
        found[number] = max(-32768, min(32767, int(sum(map(operator.mul, filters[place], window)))))
    return found


def _filter(offset: float, half: int, cut: float) -> list[float]:
    found: list[float] = []
    for place in range(-half + 1, half + 1):
        x = place - offset
        value = cut if abs(x) < 1e-9 else math.sin(math.pi * x * cut) / (math.pi * x)
        found.append(value * (0.5 + 0.5 * math.cos(math.pi * x / half)) if abs(x) < half else 0.0)
    return found


class Microphone:
    """The microphone, read through arecord, sox's rec, or the package sounddevice, whichever is installed.

    Raises:
        Failure: if none is installed, or it can't record.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._stream: Any = None
        if shutil.which("arecord"):
            command = ["arecord", "-q", "-t", "raw", "-f", "S16_LE", "-r", str(RATE), "-c", "1"]
        elif shutil.which("rec"):
            command = ["rec", "-q", "-t", "raw", "-e", "signed", "-b", "16", "-r", str(RATE), "-c", "1", "-"]
        else:
            self._stream = _sounddevice()
            return
        # In a session of its own, so that Ctrl-C ends the conversation and not the recorder under it.
        self._process = subprocess.Popen(  # noqa: S603 - one of the two above
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()
        if self._stream is not None:
            self._stream.close()

    def utterance(self) -> bytes | None:
        """The next stretch of sound between two silences; None when the microphone is closed.

        Raises:
            Failure: if it can't record.
        """
        said, quiet, floor = b"", 0, 0.0
        while len(said) < MAX_SECONDS * RATE * 2:
            block = self._read()
            if not block:
                return said or None
            loud = _loudness(block)
            if not floor or loud < floor * _ABOVE_NOISE:
                # Never none at all: some microphones are silent between words, and the first one would be the noise.
                floor = max(min(floor * _NOISE_RISES or loud, loud), _QUIETEST_SPEECH / _ABOVE_NOISE)
            if loud > floor * _ABOVE_NOISE:
                said, quiet = said + block, 0
            elif said:
                said, quiet = said + block, quiet + 1
                if quiet >= QUIET * 20:
                    return said
        return said

    def forget(self) -> None:
        """Leave out what was recorded up to now."""
        if self._process is None:
            self._stream.read(self._stream.read_available)
            return
        recorded = cast("IO[bytes]", self._process.stdout)
        os.set_blocking(recorded.fileno(), False)
        try:
            while recorded.read(_BLOCK):
                pass
        finally:
            os.set_blocking(recorded.fileno(), True)

    def _read(self) -> bytes:
        if self._process is None:
            block, _ = self._stream.read(_BLOCK // 2)
            return bytes(block)
        block = cast("IO[bytes]", self._process.stdout).read(_BLOCK)
        if not block and self._process.wait():
            told = cast("IO[bytes]", self._process.stderr).read().decode(errors="replace").strip()
            why = told.splitlines()[-1] if told else "the recorder stopped"
            raise Failure(f"can't record: {why}; check that a microphone is connected and that you may use it")
        return block


def _sounddevice() -> Any:
    try:
        import sounddevice  # type: ignore[import-untyped]  # noqa: PLC0415 - optional, and without type hints
    except (ImportError, OSError):
        raise Failure(
            "no recorder is installed; install arecord (Debian: alsa-utils) or sox, or pip install sounddevice"
        ) from None
    try:
        stream = sounddevice.RawInputStream(samplerate=RATE, channels=1, dtype="int16", blocksize=_BLOCK // 2)
        stream.start()
    except sounddevice.PortAudioError as error:
        raise Failure(f"can't record: {error}; check that a microphone is connected and that you may use it") from None
    return stream


def _loudness(block: bytes) -> float:
    samples = array.array("h", block[: len(block) // 2 * 2])
    return math.sqrt(sum(value * value for value in samples) / max(1, len(samples)))
