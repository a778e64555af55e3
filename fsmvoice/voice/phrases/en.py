"""English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmvoice.errors import ReasonCode
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases, ValueKind, between, capital, listed

_FORM: Mapping[ValueKind, str] = {
    "integer": "as a whole number",
    "number": "as a number",
    "text": "",
    "date": "as a date",
    "time": "as a time of day",
    "list": "one after the other",
    "details": "in detail",
}

_LENGTHS: Mapping[ValueKind, str] = {"text": "character", "list": "item"}


class English(Phrases):
    """English, in a tone that suits a shop as well as an office."""

    language = "en"
    okay = "Okay."
    finished = "We're finished here."
    broken = "Something went wrong there."
    wait = "Please wait a moment."
    start_over = "start over"
    other_choices = "make other choices"
    starting_over = "Okay, starting over."
    not_heard = "Sorry, I didn't get that."
    what_can_i_do: tuple[str, str] = ("What can I do?", "Where things stand, and what can be done now.")
    about_action = "One of the things that can be done, to hear how."
    yes = "yes"
    no = "no"
    failures: Mapping[ReasonCode, str] = {
        "action-failed": "Sorry, something went wrong, and nothing was changed. Please try again.",
        "action-timeout": "Sorry, that took too long, and nothing was changed. Please try again.",
        "busy": "I'm still busy with the last request. Please try again in a moment.",
        "request-id-reused": "Sorry, something got mixed up there, so I did nothing. Please ask where we are.",
        "version-conflict": "Something else changed in the meantime, so I did nothing. Please ask where we are.",
        "definition-mismatch": "I was updated since we last spoke, and can't go on from there. You can start over.",
        "session-expired": "Our last conversation has expired. Please begin a new one.",
        "session-not-found": "I can't find that conversation. Please begin a new one.",
        "limit-exceeded": "Sorry, that's more than I can take right now.",
        "store-unavailable": "Sorry, I can't get at my notes right now, and nothing was changed. Please try again.",
        "needs-confirmation": "I need a clear yes or no for that, so I did nothing.",
        "invalid-arguments": "Sorry, I didn't understand that, and nothing was changed.",
        "refused": "Sorry, that's not possible right now.",
    }

    def either(self, items: Sequence[str]) -> str:
        return listed(items, "or")

    def both(self, items: Sequence[str]) -> str:
        return listed(items, "and")

    def can(self, labels: Sequence[str]) -> str:
        if len(labels) > MAX_OPTIONS:
            return f"You can {', '.join(labels[:MAX_OPTIONS])}, or ask for more."
        return f"You can {self.either(labels)}."

    def cannot(self, label: str) -> str:
        return f"You can't {label}." if label.endswith(" now") else f"You can't {label} right now."

    def cannot_so(self, label: str) -> str:
        return f"You can't {label} with those choices."

    def can_be(self, name: str, choices: Sequence[str]) -> str:
        return f"The {name} can be {self.either(choices)}."

    def left_alone(self, label: str) -> str:
        return f"Okay, I won't {label}. I changed nothing."

    def finished_without(self, label: str) -> str:
        return f"We're finished here, so you can't {label.removesuffix(' now')} now."

    def meant(self, labels: Sequence[str]) -> str:
        return f"Did you mean {self.either(labels)}?"

    def which(self, name: str, choices: Sequence[str]) -> str:
        return f"Which {name} would you like: {self.either(choices)}?"

    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        return f"Which {name} would you like, for example {self.either(examples)}?"

    def whether(self, name: str) -> str:
        return f"{capital(name)}, yes or no?"

    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        form = _FORM[kind]
        if kind in _LENGTHS:
            limit = between(low, high, ("{} to {}", "at least {}", "at most {}", "exactly {}"))
            length = f"{limit} {_LENGTHS[kind]}" + ("" if limit.endswith(" 1") else "s") if limit else ""
            form = ", ".join(filter(None, (form, length)))
        else:
            limit = between(low, high, ("from {} to {}", "of at least {}", "of at most {}", "of exactly {}"))
            form = f"{form} {limit}".rstrip()
        return f"What should the {name} be, {form}?" if form else f"What should the {name} be?"

    def not_a_choice(self, value: str) -> str:
        return f"{capital(value)} isn't one of the choices."

    def not_possible(self, value: str) -> str:
        return f"{capital(value)} isn't possible."

    def not_understood(self, name: str) -> str:
        return f"I didn't understand the {name}."

    def too_long(self, name: str) -> str:
        return f"That's too long for the {name}."

    def too_short(self, name: str) -> str:
        return f"That's too short for the {name}."

    def also_needed(self, first: str, second: str) -> str:
        return f"I need the {first} and the {second}."

    def also_wrong(self, name: str) -> str:
        return f"I'll need the {name} again too."

    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        if nearest is not None:
            return f"I don't know what {name} is. Did you mean the {nearest}?"
        if known:
            listed = self.either([f"the {item}" for item in known])
            return f"I don't know what {name} is. To {label}, you can tell me {listed}."
        return f"I don't know what {name} is. To {label}, I need no details."

    def moment(self, day: str, time: str) -> str:
        return f"{day} at {time}"

    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        if always:
            return "It can be used at any time."
        when: list[str] = []
        if prompts:
            when.append("after " + self.either([f'"{prompt}"' for prompt in prompts]))
        if situations:
            when.append("while " + self.either(situations))
        return f"Use it {' or '.join(when)}." if when else ""

    def tool_status(self, subject: str) -> tuple[str, str]:
        return "Where are we?", (
            f"Say where {subject} stands and what can be done now, without changing anything. "
            "Use it at the beginning, and when the user asks what they can do, or to hear it again."
        )

    def tool_start_over(self, subject: str) -> tuple[str, str]:
        return "Start over", (
            f"Begin {subject} again from the start; what was said so far is dropped. "
            "It can be used at any time, when the user asks to start over."
        )

    def tool_start_session(self, subject: str) -> tuple[str, str]:
        return "Start a conversation", (
            f"Open a new conversation for {subject}. The result holds its session; "
            "give that as the session of every later call."
        )

    def subject(self, machine: str) -> str:
        return f"the {machine} conversation" if machine else "the conversation"

    def instructions(self, doc: str) -> str:
        how = (
            "Each tool answers with a sentence that is made to be spoken: say it as it is. "
            "A refusal says why, and what can be done instead. Ask for the status first to learn where things stand."
        )
        return f"{self.closed(doc)} {how}" if doc else how
