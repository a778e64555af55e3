"""The interface of session stores, and the records that go in and out of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from fsmvoice.errors import FsmVoiceError
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState

DAY = 24 * 60 * 60.0
CENTURY = 36_525 * DAY
ANSWERS_KEPT_FOR = DAY
"""Seconds for which an answer is kept, at most."""
ANSWERS_KEPT_OVER = 1000
"""Events of its session over which an answer is kept, at most."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a store keeps. Commits beyond that are refused as `limit-exceeded`; a history drops its oldest events.

    Args:
        ttl: seconds for which a session is kept after its last commit.
        sessions: the number of sessions at a time, None for any. Only the store in memory limits it.
        sessions_per_caller: the number of sessions that one principal can have at a time.
        context: bytes of a context as JSON.
        timers: the number of delays that run in one session at a time.
        history: the number of events that are kept of one session.

    Raises:
        ValueError: with every limit that is out of range.
    """

    ttl: float = DAY
    sessions: int | None = None
    sessions_per_caller: int = 1000
    context: int = 256 * 1024
    timers: int = 100
    history: int = ANSWERS_KEPT_OVER

    def __post_init__(self) -> None:
        wrong = [] if 0 < self.ttl <= CENTURY else [f"ttl is {self.ttl:g}; it should be seconds, up to {CENTURY:g}"]
        wrong += [
            f"{name} is {most}; it should be 0 or more"
            for name in ("sessions", "sessions_per_caller", "context", "timers", "history")
            if (most := getattr(self, name)) is not None and not most >= 0
        ]
        if wrong:
            raise ValueError("; ".join(wrong))


class Answer(NamedTuple):
    """What was said to a request, kept for when it is repeated. `sent` is a digest of what the request sent."""

    request_id: str
    sent: str
    say: str


class Event(NamedTuple):
    """A transition in the history. The store adds its time and the answer to its request."""

    seq: int
    """The revision that it made."""
    name: str
    """The event's type. Timers, services and starting over have the engine's own (`xstate.…`)."""
    source: Any = None
    """The state value before it, as JSON data. None for the start."""
    target: Any = None
    """The state value after it, as JSON data."""
    request_id: str | None = None
    principal: str = ""
    """A hash of the caller's principal. '' if nobody signed in, and for timers and services."""
    version: str | None = None
    """The version of the machine that took it."""
    arguments: str = ""
    """A hash of the event's arguments, '' if there are none."""
    audit: str | None = None
    """The arguments as JSON text without private ones, if the server was asked to keep them."""


class EffectCall(NamedTuple):
    """An `@effect` that a transition requested. `arguments` is a JSON object as text; `id` never changes."""

    id: str
    name: str
    arguments: str


class Commit(NamedTuple):
    """What one commit changes: all of it, or nothing.

    The row of the session is replaced, `events` are appended to the history and `effects` to the outbox, and services
    that are not in `services` are removed. The number of attempts returns to 0. The session's lease, if any, ends.
    """

    key: str
    expected: int | None
    """The revision that was loaded. None for a new session, which must not exist or must have expired."""
    state: RunState
    """Its `seq` is the new revision. A store in memory keeps the object."""
    document: str | None = None
    """`state` as JSON text, for a store that is not `instant`. It is kept unchanged."""
    chart: Chart | None = None
    """The chart of `state`, for a store that keeps the object."""
    machine: str = ""
    """The machine's id. Several machines may keep their sessions in one store."""
    events: Sequence[Event] = ()
    answer: Answer | None = None
    """Kept for `ANSWERS_KEPT_FOR` and over `ANSWERS_KEPT_OVER`. It replaces an earlier one to the same request."""
    effects: Sequence[EffectCall] = ()
    services: Sequence[str] = ()
    """The keys of the services that run from now on. New ones are leased to `owner` for `seconds`."""
    owner: str = ""
    """The id of the process that commits."""
    seconds: float = 30.0
    news: tuple[str, ...] = ()
    """The news that nobody has heard yet."""
    timer_at: float | None = None
    """When the first timer is due, in milliseconds by the store's clock."""
    fence: int | None = None
    """The fence of the lease that the turn holds. Without one, the commit is refused while anyone holds a lease."""
    caller: str = ""
    """A hash of the principal, by which sessions are counted. '' if nobody signed in; these are not counted."""
    run: str = ""
    """For a new session: a unique random id of this life of the session."""
    ends: str | None = None
    """The id of an effect that this commit gives up. It goes to the dead letters."""


Committed: TypeAlias = Literal["committed", "conflict", "leased"]
"""The result of a commit: done, the session is at another revision, or another process holds its lease."""


class StoredSession(NamedTuple):
    """A session as it is stored: `state` and its `chart` from a store in memory, `document` from any other."""

    revision: int
    now: float
    """When it was loaded, in milliseconds by the store's clock, and never ahead of it."""
    state: RunState | None = None
    chart: Chart | None = None
    document: str | None = None
    attempts: int = 0
    """The number of failures in a row since it last changed."""
    news: tuple[str, ...] = ()
    answer: Answer | None = None
    """The answer to the request whose id was given."""
    run: str = ""
    """The id of this life of the session."""
    leased_until: float = 0.0
    """When the current lease ends, by the store's clock. 0 if there is none."""


class Lease(NamedTuple):
    """The exclusive right to run code of the machine that waits. `revision` is the session's, None for a new one."""

    fence: int
    revision: int | None


class Overdue(NamedTuple):
    """Sessions with something due now, and the milliseconds until the next one, None if there is none."""

    keys: Sequence[str]
    next_in: float | None


class Outgoing(NamedTuple):
    """An effect to be run now. `attempt` counts from 1."""

    id: str
    name: str
    arguments: str
    attempt: int


class PastEvent(NamedTuple):
    """An event of the history, with its time (milliseconds since 1970) and the answer to its request."""

    at: float
    event: Event
    say: str | None = None


class SessionInfo(NamedTuple):
    """An entry in a list of sessions. Times are milliseconds since 1970, by the store's clock."""

    key: str
    machine: str
    revision: int
    created: float
    changed: float
    expires: float
    caller: str = ""
    wake_at: float | None = None
    outgoing: int = 0
    """The number of pending effects."""
    dead: int = 0
    """The number of effects that were given up."""


class LimitExceeded(FsmVoiceError):
    """A limit of the store is exceeded: the context is too big, or there are too many timers or sessions."""


class StoreFull(LimitExceeded):
    """There are too many sessions, altogether or of this caller."""


class StoreUnavailable(FsmVoiceError):
    """The store can't be reached or can't write, and nothing was changed. The same call may succeed later."""


class CommitUnknown(FsmVoiceError):
    """The connection broke during a commit, which may have happened. Repeating the call with its request id tells."""


Changed: TypeAlias = Callable[[str, int], None]
"""Called with a session's key and its new revision. It must not block."""


class SessionStore(Protocol):
    """Keeps sessions by key, with their history, answers, effects and services.

    A session's revision is the `seq` of its run state. A method that changes something does all of it or nothing, and
    it is durable when the method returns. All times are the store's: its clock decides what is due, expired or leased.

    Any method may raise `StoreUnavailable` if nothing was changed, and `commit` also `CommitUnknown`.
    """

    @property
    def instant(self) -> bool:
        """Whether the store lives in this process and none of its methods ever waits.

        Such a store keeps run states as objects and needs no leases, since the calls of one process take turns. Calls
        of other stores are shielded from cancellation.
        """
        ...

    @property
    def limits(self) -> Limits: ...

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        """The session, with its answer to that request. None if there is none or it has expired."""
        ...

    async def expired(self, key: str) -> bool:
        """Whether there was such a session that has expired. This is remembered for at least another `ttl`."""
        ...

    async def commit(self, commit: Commit) -> Committed:
        """Apply the commit if the session is still at `expected`, has not expired and is not leased to others.

        A new session replaces an expired one completely.

        Raises:
            StoreFull: if there are too many sessions for a new one, altogether or of its caller.
        """
        ...

    async def note(self, key: str, revision: int, attempts: int, news: tuple[str, ...]) -> None:
        """Set the number of failures in a row and the unheard news, if the session is still at that revision.

        Best effort: it is not a commit and doesn't change the revision.
        """
        ...

    async def delete(self, key: str) -> bool:
        """Delete the session and all that belongs to it. Whether it existed."""
        ...

    async def now(self) -> float:
        """The store's clock: milliseconds since 1970."""
        ...

    async def check(self) -> None:
        """Check that sessions can be read and written now, without changing anything."""
        ...

    # -- leases: at most one process runs code of the machine that waits ----------------------------------------

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        """Take the session's lease, for `seconds`. None while another lease lasts, even one of the same `owner`.

        The session need not exist yet. Each lease of a session has a higher fence than the one before.
        """
        ...

    async def release(self, key: str, fence: int) -> None:
        """Give back the lease with this fence, if it is still the current one."""
        ...

    # -- timers, services and effects ----------------------------------------------------------------------------

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        """Up to `limit` sessions of a machine with a timer due, a service whose lease has ended, or an effect to run.

        A session is not returned again, to any process, within `hold` seconds, unless a commit changes it meanwhile.
        After that it is, in case the process that got it has died.
        """
        ...

    async def wake(self, key: str, seconds: float) -> None:
        """Let the session be overdue in `seconds`, instead of when it would be returned again.

        A session with nothing to do is not changed.
        """
        ...

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        """Take over a service whose lease has ended. How often it was started, including this time.

        None if the service has ended, or another process has it.
        """
        ...

    async def keep_services(
        self, owner: str, services: Sequence[tuple[str, str]], seconds: float
    ) -> Sequence[tuple[str, str]]:
        """Renew the leases that `owner` still has, of services given as (session key, service key).

        Returns those that it has lost: another process has taken them over or left their state, or the session is gone.
        """
        ...

    async def give_up_services(self, owner: str, services: Sequence[tuple[str, str]]) -> None:
        """End these leases, so that other processes can take the services over at once."""
        ...

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        """Claim the oldest effect of the session for `seconds`, if it is due and not claimed.

        Effects run one after the other: while the oldest waits or runs, the session's others wait too.
        """
        ...

    async def finish_effect(self, key: str, effect: str) -> None:
        """Remove an effect that is done."""
        ...

    async def retry_effect(self, key: str, effect: str, attempt: int, seconds: float, error: str) -> None:
        """Schedule another attempt in `seconds`, after this one failed, unless it was claimed again meanwhile."""
        ...

    # -- the store as a whole --------------------------------------------------------------------------------------

    async def keys(self) -> Sequence[bytes]:
        """32-byte keys to seal what clients get, the same for every process, made at the first call.

        The first key makes new seals; all of them are accepted.
        """
        ...

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Call `changed` on the running event loop after each commit of any process. Returns a function that ends this.

        Commits of one session in quick succession may be reported once, with the last revision.
        """
        ...

    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]:
        """The session's last `limit` events, oldest first."""
        ...

    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]:
        """Up to `limit` sessions that have not expired, ordered by key, with keys greater than `after`."""
        ...

    async def sweep(self) -> int:
        """Delete some of the sessions that expired long ago. Returns how many. Users of the store call it regularly."""
        ...

    async def aclose(self) -> None:
        """Finish pending work and release all resources. It may be called twice."""
        ...
