"""The package's exceptions, the problems that a `DefinitionError` lists, and the reason codes of refusals."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from typing import Self

ReasonCode: TypeAlias = Literal[
    "no-transition",
    "guard-rejected",
    "refused",
    "invalid-arguments",
    "needs-confirmation",
    "version-conflict",
    "request-id-reused",
    "busy",
    "action-failed",
    "action-timeout",
    "unknown-outcome",
    "definition-mismatch",
    "session-expired",
    "session-not-found",
    "limit-exceeded",
    "store-unavailable",
]
"""Why a call did nothing; the same codes in an `Outcome`, a tool's result and the logs."""

RETRY_IS_SAFE: Mapping[ReasonCode, bool] = {
    "no-transition": False,
    "guard-rejected": False,
    "refused": False,
    "invalid-arguments": False,
    "needs-confirmation": False,
    "version-conflict": False,
    "request-id-reused": False,
    "busy": True,
    "action-failed": True,
    "action-timeout": True,
    "unknown-outcome": False,
    "definition-mismatch": False,
    "session-expired": False,
    "session-not-found": False,
    "limit-exceeded": False,
    "store-unavailable": True,
}
"""Whether repeating the identical call is safe (nothing is done twice inside the machine) and may succeed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a definition: where (file:line or JSON path), what, and how to fix it."""

    where: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.hint}" if self.hint else text


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str = "there are") -> str:
    """A hint that names the closest match in `known`, or lists up to eight of them if none is close.

    The last part of a dotted name is matched too. `otherwise` introduces the list.
    """
    names = list(dict.fromkeys(known))
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if not close:
        lowered = {name.lower(): name for name in names}
        close = [lowered[hit] for hit in difflib.get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)]
    if not close:
        ends = {name.rsplit(".", 1)[-1]: name for name in names}
        close = [ends[hit] for hit in difflib.get_close_matches(word, ends, n=1, cutoff=0.6)]
    if close:
        return f"did you mean {close[0]!r}?"
    if not names:
        return ""
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{otherwise} {listed}"


def message_of(error: BaseException) -> str:
    """`str(error)`, even if a user's own `__str__` raises."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001, RUF100 - a user's own `__str__` may raise anything
        return "<exception str() failed>"


class FsmVoiceError(Exception):
    """Base class of this package's exceptions."""


class DefinitionError(FsmVoiceError, TypeError):
    """A machine's definition is invalid. `problems` lists everything that is wrong with it, not just the first."""

    subject: str
    problems: tuple[Problem, ...]

    def __init__(self, subject: str, problems: Sequence[Problem]) -> None:
        self.subject, self.problems = subject, tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__(f"{subject} has {count}:\n" + "\n".join(f"  {problem}" for problem in self.problems))

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[Problem, ...]]]:
        return type(self), (self.subject, self.problems)


class DefinitionWarning(UserWarning):
    """A definition is valid but probably not what its author meant."""


class NotAllowed(FsmVoiceError):
    """An event method was called and its event was refused. `outcome` has the spoken refusal and the reason code."""

    def __init__(self, message: str, outcome: Any) -> None:
        self.outcome = outcome
        super().__init__(message)

    def __reduce__(self) -> tuple[type[Self], tuple[str, Any]]:
        """Pickle an outcome, which holds a running machine, as a dict of its facts."""
        facts = ("ok", "event", "reason", "say", "state", "available", "changed")
        outcome = self.outcome
        told = {name: getattr(outcome, name) for name in facts} if hasattr(outcome, "explain") else outcome
        return type(self), (str(self), told)


class Refuse(FsmVoiceError):
    """Raise it in a transition, guard or hook to undo the step and speak `say`, which may have slots."""

    def __init__(self, say: str) -> None:
        if not isinstance(say, str):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass errors, codes, None
            raise TypeError(f"Refuse takes the text to say, not {type(say).__name__}")
        self.say = say
        super().__init__(say)


class ActionFailed(FsmVoiceError):
    """An action, guard or hook raised `__cause__`. The machine is unchanged."""

    name: str
    event: str
    state: Any

    def __init__(self, message: str, *, name: str = "", event: str = "", state: Any = None) -> None:
        self.name, self.event, self.state = name, event, state
        super().__init__(message)


class ServiceFailed(FsmVoiceError):
    """A service raised `__cause__`, and no transition handles its error. The machine goes on."""

    name: str

    def __init__(self, message: str, *, name: str = "") -> None:
        self.name = name
        super().__init__(message)


class UnknownName(FsmVoiceError, LookupError):
    """The machine has no state or event of this name; the message suggests the nearest one."""


class Suspended(FsmVoiceError):
    """Code had to wait in a synchronous call (`.sync`, `send_sync` or a constructor). Nothing changed.

    `name` is the function that had to wait, if known.
    """

    name: str

    def __init__(self, message: str, *, name: str = "") -> None:
        self.name = name
        super().__init__(message)


class ReentrancyError(FsmVoiceError):
    """An event was fired on a machine from inside its own step.

    `advised` is true if the message already says what to do instead.
    """

    def __init__(self, message: str, *, advised: bool = False) -> None:
        self.advised = advised
        super().__init__(message)


class RunawayError(FsmVoiceError):
    """A macrostep did not terminate, and nothing changed; or a service sends events faster than they are handled.

    `cycle` names the states that it kept visiting, or the event.
    """

    cycle: tuple[str, ...]

    def __init__(self, message: str, cycle: Sequence[str] = ()) -> None:
        self.cycle = tuple(cycle)
        super().__init__(message)


class RestoreError(FsmVoiceError):
    """A stored snapshot does not fit this machine."""


class DrawingFailed(FsmVoiceError):
    """Graphviz is not installed, or failed to draw a machine. The message names alternatives."""


class MissingExtra(FsmVoiceError, ImportError):
    """A package of an optional extra is not installed; the message gives the pip command."""

    def __init__(self, extra: str, what: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'fsmvoice[{extra}]'")
