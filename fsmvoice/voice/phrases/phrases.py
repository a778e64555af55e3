"""What the framework itself says, as one class a language: everything a user's own texts don't say."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

from fsmvoice.errors import ReasonCode

ValueKind = Literal["integer", "number", "text", "date", "time", "list", "details"]
"""What sort of free value a question asks for."""

MAX_OPTIONS = 3
"""So many things to do are said in one breath; the rest waits until it is asked for."""


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
    """The phrases of one language. Labels come in as a machine's author wrote them: "place the order".

    Args:
        tag: the locale that values are said for: "de-AT".
        formal: how the user is addressed, where the language makes a difference; None for what assistants usually do.
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
        """Why nothing happened, where no text of the machine says it."""
        return self.failures.get(reason) or self.failures["action-failed"]

    def is_question(self, text: str) -> bool:
        """Whether somewhere in `text` a sentence asks."""
        if text[-1:] in _ASKING:
            return True
        return not _ASKING.isdisjoint(text) and any(self.asks(sentence) for sentence in self.sentences(text))

    def asks(self, sentence: str) -> bool:
        """Whether one sentence is a question."""
        return sentence.rstrip(_CLOSERS_AND_BLANKS).rstrip("!！")[-1:] in _ASKING

    def sentences(self, text: str) -> list[str]:
        """`text` cut after each sentence."""
        return [part for part in _BREAK.split(text.strip()) if part]

    def closed(self, text: str) -> str:
        """`text` with a full stop, if it has no end of its own."""
        if not text or text[-1] in _ENDS or text.rstrip(_CLOSERS)[-1:] in _ENDS:
            return text
        return f"{text}{self.full_stop}"

    def joined(self, sentences: Sequence[str]) -> str:
        """Sentences as one text."""
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
        """What can be done, as a sentence; of more than `MAX_OPTIONS` the first, and that there are more."""

    @abstractmethod
    def cannot(self, label: str) -> str:
        """That something can't be done now."""

    @abstractmethod
    def cannot_so(self, label: str) -> str:
        """That something can't be done with the details that were given; with others it can."""

    @abstractmethod
    def can_be(self, name: str, choices: Sequence[str]) -> str:
        """Which values of a detail would do."""

    @abstractmethod
    def left_alone(self, label: str) -> str:
        """That something is not done because the user did not want to say more about it."""

    @abstractmethod
    def finished_without(self, label: str) -> str:
        """That something can't be done because the conversation is over."""

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
        """Ask for a yes or a no."""

    @abstractmethod
    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        """Ask for a free value, and say what it may be: a number's range, a text's or a list's length."""

    @abstractmethod
    def not_a_choice(self, value: str) -> str:
        """That a value is none of those that there are."""

    @abstractmethod
    def not_possible(self, value: str) -> str:
        """That a value is of the right kind, and not among those that may be."""

    @abstractmethod
    def not_understood(self, name: str) -> str:
        """That a value could not be read."""

    @abstractmethod
    def too_long(self, name: str) -> str:
        """That a text or a list is too long; a question with the limit follows."""

    @abstractmethod
    def too_short(self, name: str) -> str:
        """That a text or a list is too short; a question with the limit follows."""

    @abstractmethod
    def also_needed(self, first: str, second: str) -> str:
        """That two things are missing; a question for the first follows."""

    @abstractmethod
    def also_wrong(self, name: str) -> str:
        """That a second thing is to be said after this one; a question for the first follows."""

    @abstractmethod
    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        """That an argument of this name is not taken: what it may have been, or what is."""

    def moment(self, day: str, time: str) -> str:
        """A day and a time of it, each as it is said."""
        return f"{day}, {time}"

    @abstractmethod
    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        """For a tool's description: it can be used after one of `prompts`, in one of `situations`, or at any time."""

    @abstractmethod
    def tool_status(self, subject: str) -> tuple[str, str]:
        """Title and description of the tool that says where things stand."""

    @abstractmethod
    def tool_start_over(self, subject: str) -> tuple[str, str]:
        """Title and description of the tool that begins again."""

    @abstractmethod
    def tool_start_session(self, subject: str) -> tuple[str, str]:
        """Title and description of the tool that opens a conversation of the caller's own."""

    @abstractmethod
    def subject(self, machine: str) -> str:
        """What the tools' descriptions call the conversation with a machine; `machine` may be ''."""

    @abstractmethod
    def instructions(self, doc: str) -> str:
        """How a host uses the tools of a machine, after what the machine itself says."""


def listed(items: Sequence[str], word: str) -> str:
    """ "a, b or c", with the last comma replaced by `word`."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def between(low: str | None, high: str | None, words: tuple[str, str, str, str]) -> str:
    """The bounds of a value in words: `words` has "from {} to {}", "at least {}", "at most {}" and "exactly {}"."""
    if low is not None and high is not None:
        return words[3].format(low) if low == high else words[0].format(low, high)
    return words[1].format(low) if low is not None else words[2].format(high) if high is not None else ""


def capital(text: str) -> str:
    """`text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]
