"""`Phrases`: everything that the framework itself says, with one subclass for each language."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

from fsmvoice.errors import ReasonCode

ValueKind = Literal["integer", "number", "text", "date", "time", "list", "details"]
"""The kind of value that a question asks for."""

MAX_OPTIONS = 3
"""The most options said at once; the rest are said when the user asks for more."""


_ENDS = frozenset(".!?…:;,。！？、؟")
_CLOSERS = "\"'”’»)」』）"
_CLOSERS_AND_BLANKS = _CLOSERS + " "
_ASKING = frozenset("?？؟")
_BREAK = re.compile(
    # What goes on in a small letter after a closing quote is the same sentence: Say "what is it?" to hear more.
    r"(?<=[.!?…؟])\s+|(?<=[.!?…؟][\"'”’»)])\s+(?![a-zß-öø-ÿ])|(?<=[。！？])(?![」』）\s])\s*|(?<=[。！？][」』）])\s*|(?<=[。！？])\s+"
)
_WITHOUT_SPACE = frozenset("。！？」』、")


class Phrases(ABC):
    """The phrases of one language. Labels are passed as the machine's author wrote them: "place the order".

    Args:
        tag: the locale for formatting values, such as "de-AT".
        formal: the form of address, in languages that have one; None for what is usual for assistants.
    """

    language: str
    """The language subtag."""
    usually_formal = False
    time_pattern: str | None = None
    """A time of day as CLDR writes patterns; None for the locale's own short one."""
    full_stop = "."
    spaced = True
    """Whether there are blanks between words."""

    okay: str
    """An event was taken and nothing else is to be said."""
    finished: str
    """The conversation is over."""
    broken: str
    """Whether something can be done could not be found out."""
    wait: str
    """Nothing can be said now, and something else will happen."""
    start_over: str
    """The label of beginning again."""
    other_choices: str
    """The label of trying the same again with other details."""
    starting_over: str
    """Said before the first prompt of a new run."""
    not_heard: str
    """What somebody said was not understood."""
    what_can_i_do: tuple[str, str]
    """Title and description of the prompt that asks for it."""
    about_action: str
    """Describes an argument: one of the things that can be done, by its label."""
    yes: str
    no: str
    failures: Mapping[ReasonCode, str]
    """What to say where a call failed for a reason that is not the machine's own."""

    def __init__(self, tag: str | None = None, *, formal: bool | None = None) -> None:
        self.tag: str = tag or self.language
        self.formal: bool = self.usually_formal if formal is None else formal

    def failed(self, reason: ReasonCode) -> str:
        """What to say when a call failed with `reason`."""
        return self.failures.get(reason) or self.failures["action-failed"]

    def is_question(self, text: str) -> bool:
        """Whether `text` contains a question."""
        if text[-1:] in _ASKING:
            return True
        return not _ASKING.isdisjoint(text) and any(self.asks(sentence) for sentence in self.sentences(text))

    def asks(self, sentence: str) -> bool:
        """Whether one sentence is a question."""
        return sentence.rstrip(_CLOSERS_AND_BLANKS).rstrip("!！")[-1:] in _ASKING

    def sentences(self, text: str) -> list[str]:
        """`text` split into sentences."""
        return [part for part in _BREAK.split(text.strip()) if part]

    def closed(self, text: str) -> str:
        """`text` with a full stop, unless it ends with punctuation."""
        if not text or text[-1] in _ENDS or text.rstrip(_CLOSERS)[-1:] in _ENDS:
            return text
        return f"{text}{self.full_stop}"

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences joined into one text."""
        text = ""
        for sentence in sentences:
            between = " " if text and text[-1] not in _WITHOUT_SPACE else ""
            text = f"{text}{between}{sentence}"
        return text

    @abstractmethod
    def either(self, items: Sequence[str]) -> str:
        """A choice: "a, b or c"."""

    @abstractmethod
    def both(self, items: Sequence[str]) -> str:
        """A list: "a, b and c"."""

    @abstractmethod
    def can(self, labels: Sequence[str]) -> str:
        """Say what can be done. Of more than `MAX_OPTIONS`, name the first ones and say that there are more."""

    @abstractmethod
    def cannot(self, label: str) -> str:
        """Say that something can't be done now."""

    @abstractmethod
    def cannot_so(self, label: str) -> str:
        """Say that something can't be done with these arguments, but can with others."""

    @abstractmethod
    def can_be(self, name: str, choices: Sequence[str]) -> str:
        """Say which values of a parameter would be accepted."""

    @abstractmethod
    def left_alone(self, label: str) -> str:
        """Say that something is not done because the user declined to answer."""

    @abstractmethod
    def finished_without(self, label: str) -> str:
        """Say that something can't be done because the conversation has ended."""

    @abstractmethod
    def meant(self, labels: Sequence[str]) -> str:
        """Ask which of a few things to do was meant."""

    @abstractmethod
    def which(self, name: str, choices: Sequence[str]) -> str:
        """Ask for one of a few values."""

    @abstractmethod
    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        """Ask for one of many values, naming a few."""

    @abstractmethod
    def whether(self, name: str) -> str:
        """Ask a yes-or-no question."""

    @abstractmethod
    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        """Ask for a free value, and say its limits: the range of a number, or the length of a text or list."""

    @abstractmethod
    def not_a_choice(self, value: str) -> str:
        """Say that a value is not one of the choices."""

    @abstractmethod
    def not_possible(self, value: str) -> str:
        """Say that a value has the right type but is not allowed."""

    @abstractmethod
    def not_understood(self, name: str) -> str:
        """Say that a value was not understood."""

    @abstractmethod
    def too_long(self, name: str) -> str:
        """Say that a text or a list is too long. A question with the limit follows."""

    @abstractmethod
    def too_short(self, name: str) -> str:
        """Say that a text or a list is too short. A question with the limit follows."""

    @abstractmethod
    def also_needed(self, first: str, second: str) -> str:
        """Say that two values are missing. A question for the first follows."""

    @abstractmethod
    def also_wrong(self, name: str) -> str:
        """Say that a second value will be needed too. A question for the first follows."""

    @abstractmethod
    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        """Say that there is no parameter of this name, and name the nearest one, or those that there are."""

    def moment(self, day: str, time: str) -> str:
        """A day and a time, each already in spoken form, as one phrase."""
        return f"{day}, {time}"

    @abstractmethod
    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        """For a tool's description: when to use it: after one of `prompts`, in one of `situations`, or at any time."""

    @abstractmethod
    def tool_status(self, subject: str) -> tuple[str, str]:
        """The title and description of the status tool."""

    @abstractmethod
    def tool_start_over(self, subject: str) -> tuple[str, str]:
        """The title and description of the tool that starts over."""

    @abstractmethod
    def tool_start_session(self, subject: str) -> tuple[str, str]:
        """The title and description of the tool that opens a session of the caller's own."""

    @abstractmethod
    def subject(self, machine: str) -> str:
        """How tool descriptions refer to the conversation with a machine, whose name may be ''."""

    @abstractmethod
    def instructions(self, doc: str) -> str:
        """The server instructions: the machine's own description, then how to use its tools."""


def listed(items: Sequence[str], word: str) -> str:
    """Items joined by commas, with `word` before the last: "a, b or c"."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def between(low: str | None, high: str | None, words: tuple[str, str, str, str]) -> str:
    """The bounds of a value in words: `words` are templates for a range, a minimum, a maximum and an exact value."""
    if low is not None and high is not None:
        return words[3].format(low) if low == high else words[0].format(low, high)
    return words[1].format(low) if low is not None else words[2].format(high) if high is not None else ""


def capital(text: str) -> str:
    """`text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]
