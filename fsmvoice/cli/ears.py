"""Speech recognition with pocketsphinx and a grammar of what can be said in the current state."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from fsmvoice.cli.conversation import Conversation
from fsmvoice.cli.problem import Failure, shown
from fsmvoice.cli.sound import QUIET, RATE, Microphone, read_wave
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import MissingExtra
from fsmvoice.model.chart import Chart
from fsmvoice.voice.exports.sayings import Framed, answers, framed, open_values, sayings
from fsmvoice.voice.heard import Asked
from fsmvoice.voice.utterances import hearing_of

BELIEVED = -18.0
"""The lowest accepted log likelihood of a sentence relative to free phonemes, in the recognizer's units per frame.

Measured with American voices of espeak-ng: sentences of a grammar score above -18, and a few others do too.
"""
SURE = -21.0
"""The same after a patient search, where those others score below -21."""
FRAME = 160
"""Samples per frame, which is a hundredth of a second."""
SPEECH = int((QUIET + 0.5) * RATE) * 2
"""Bytes of a recording with half a second of sound and the silence that ended it."""
_SLOT = re.compile(r"\{(\w+)\}")
_SOUNDS = "sounds"
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


class Ears:
    """Transcribes recordings.

    Raises:
        MissingExtra: if pocketsphinx is not installed.
        Failure: if there is no model for the language.
    """

    def __init__(self, chart: Chart, locale: str) -> None:
        if not locale.lower().startswith("en"):
            raise Failure(f"speech recognition is available in English only, not in {locale!r}; type, or use --script")
        try:
            sphinx: Any = import_module("pocketsphinx")  # an optional extra, without type hints
        except ImportError:
            raise MissingExtra("speech", "hearing speech") from None
        self._hearing = hearing_of(chart, locale)
        options = {"loglevel": "FATAL", "logfn": "/dev/null", "cmn": "batch", "lm": None}
        # A decoder always finds some sentence of its grammar. Another one decodes free phonemes: if those match much
        # better, something else was said.
        self._quick: Any = sphinx.Decoder(sphinx.Config(**options, beam=1e-60, pbeam=1e-60, wbeam=1e-40))
        self._patient: Any = sphinx.Decoder(sphinx.Config(**options, beam=1e-90, pbeam=1e-90, wbeam=1e-70))
        self._sounds: Any = sphinx.Decoder(sphinx.Config(**options, beam=1e-20, pbeam=1e-20, lw=2.0))
        self._sounds.add_allphone_file(_SOUNDS, None)
        self._grammars: dict[tuple[Any, ...], str] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._unknown: set[str] = set()

    def words(self, snapshot: Snapshot[Any], sound: bytes, asked: Asked | None = None) -> str:
        """The words in `sound` (16-bit mono at 16 kHz), if they can be said now; else ''."""
        name = self._grammar(snapshot, asked)
        said, likely = _decoded(self._quick, sound, name)
        if self._accepts(name, said):
            _, surely = _decoded(self._patient, sound, name)
        else:  # the narrow beam found only part of a sentence
            said, likely = _decoded(self._patient, sound, name)
            surely = likely
        if not self._accepts(name, said):
            return ""
        _, as_sounds = _decoded(self._sounds, sound, _SOUNDS)
        frames = max(1.0, len(sound) / 2 / FRAME)
        sure = (likely - as_sounds) / frames >= BELIEVED and (surely - as_sounds) / frames >= SURE
        return said if sure else ""

    def _grammar(self, snapshot: Snapshot[Any], asked: Asked | None) -> str:
        events = tuple(event for event in snapshot.verdicts if event in self._hearing.events)
        key = (events, asked and (asked.event, asked.parameter))
        known = self._grammars.get(key)
        if known is None:
            known = self._grammars[key] = f"state{len(self._grammars)}"
            self._patterns[known] = self._add(known, events, asked)
        return known

    def _add(self, name: str, events: Sequence[str], asked: Asked | None) -> re.Pattern[str]:
        """Add a grammar to the recognizer, and return a pattern of its sentences."""
        rules: list[str] = []
        patterns: list[str] = []
        public: list[str] = []
        sentences = [phrase for phrases in answers(self._hearing).values() for phrase in phrases]
        found: dict[str, list[str]] = {"": sentences}
        values: dict[str, Sequence[str]] = {}
        for event in events:
            utterances = self._hearing.events[event]
            found[event] = sayings(self._hearing, utterances)
            frames = framed(self._hearing, utterances)
            values |= {f"{event}.{slot}": it.said for slot, it in utterances.values.items()}
            if frames is not None:
                made = self._framed(event, frames, values, rules)
                if made is not None:
                    public.append(made[0])
                    patterns.append(made[1])
        free = open_values(self._hearing, asked)
        if free is not None and asked is not None:
            found.setdefault(asked.event, []).append(f"{{{free[0]}}}")
        for event, said in found.items():
            for sentence in said:
                made = self._sentence(event, sentence, values, rules)
                if made is not None:
                    public.append(made[0])
                    patterns.append(made[1])
        grammar = f"#JSGF V1.0;\ngrammar {name};\npublic <u> = {' | '.join(public)};\n" + "".join(dict.fromkeys(rules))
        self._quick.add_jsgf_string(name, grammar)
        self._patient.add_jsgf_string(name, grammar)
        return re.compile("|".join(dict.fromkeys(patterns)))

    def _sentence(
        self, event: str, sentence: str, values: dict[str, Sequence[str]], rules: list[str]
    ) -> tuple[str, str] | None:
        """A sentence as JSGF and as a regex; None if one of its words is not in the dictionary."""
        pieces: list[str] = []
        patterns: list[str] = []
        for number, piece in enumerate(_SLOT.split(sentence)):
            if number % 2 == 0:
                words = _WORD.findall(piece.casefold())
                if not all(map(self._knows, words)):
                    return None
                pieces += words
                patterns += map(re.escape, words)
                continue
            known = [" ".join(_WORD.findall(value.casefold())) for value in values.get(f"{event}.{piece}", ())]
            known = [value for value in known if value and all(map(self._knows, value.split()))]
            if not known:
                return None
            rule = f"v{abs(hash((event, piece))):x}"
            rules.append(f"<{rule}> = {' | '.join(known)};\n")
            pieces.append(f"<{rule}>")
            patterns.append(f"(?:{'|'.join(map(re.escape, known))})")
        return (" ".join(pieces), r"\ ".join(patterns)) if pieces else None

    def _framed(
        self, event: str, frames: Framed, values: dict[str, Sequence[str]], rules: list[str]
    ) -> tuple[str, str] | None:
        """Like `_sentence`, for values in all their frames. Those with unknown words are left out."""
        said = [made for bare in frames.values if (made := self._sentence(event, bare, values, rules)) is not None]
        if not said:
            return None
        grammar = [f"( {' | '.join(made[0] for made in said)} )"]
        pattern = [f"(?:{'|'.join(made[1] for made in said)})"]
        for place, around in ((0, frames.before), (2, frames.after)):
            words = [text for text in around if text and all(map(self._knows, text.split()))]
            if words:
                optional = "" in around
                options = "|".join(map(re.escape, words))
                spaced = rf"(?:{options})\ " if place == 0 else rf"\ (?:{options})"
                grammar.insert(place, f"{'[' if optional else '('} {' | '.join(words)} {']' if optional else ')'}")
                pattern.insert(place, f"(?:{spaced}){'?' if optional else ''}")
        return " ".join(grammar), "".join(pattern)

    def _knows(self, word: str) -> bool:
        """Whether a word is in the dictionary. An unknown one is reported once."""
        if self._quick.lookup_word(word) is not None:
            return True
        if word not in self._unknown:
            self._unknown.add(word)
            told = f"Note: {word!r} is not in the recognizer's dictionary, so sentences with it are not recognized; "
            click.echo(f"{told}add a label or an utterance in other words", err=True)
        return False

    def _accepts(self, name: str, said: str) -> bool:
        return self._patterns[name].fullmatch(said) is not None


def _decoded(decoder: Any, sound: bytes, search: str) -> tuple[str, float]:
    """The decoded text, and its log likelihood to the base 1.0001."""
    decoder.activate_search(search)
    decoder.start_utt()
    decoder.process_raw(sound, no_search=False, full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return ("", 0.0) if found is None else (str(found.hypstr), math.log(found.best_score) * 10_000)


async def wave_files(files: Iterable[Path], ears: Ears, conversation: Conversation) -> AsyncIterator[str]:
    """The words of recordings, one after the other."""
    for file in files:
        try:
            sound = read_wave(file)
        except OSError as error:
            raise Failure(f"can't read {shown(file)}: {error.strerror or error}") from None
        except ValueError as error:
            raise Failure(f"{shown(file)}: {error}") from None
        yield ears.words(await conversation.snapshot(), sound, conversation.asked)


async def recorder(
    ears: Ears, conversation: Conversation, ready: Callable[[], None], *, speaks: bool = False
) -> AsyncIterator[str]:
    """What is said into the microphone, an utterance at a time, until it is closed; "" for speech that is not heard.

    Args:
        ready: tells that it listens.
        speaks: whether replies are said aloud: then what was recorded meanwhile is the machine's own voice.
    """
    with Microphone() as microphone:
        ready()
        while True:
            sound = await asyncio.to_thread(microphone.utterance)
            if sound is None:
                return
            said = ears.words(await conversation.snapshot(), sound, conversation.asked)
            if said or len(sound) >= SPEECH:  # a cough or a door is no utterance
                yield said
                if speaks:
                    microphone.forget()
                ready()
