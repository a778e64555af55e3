"""What a store of sessions must do, and the records that go in and out of it."""

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
"""Seconds that an answer is kept, and"""
ANSWERS_KEPT_OVER = 1000
"""so many events of its session."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a store keeps. What goes beyond is refused as `limit-exceeded`; a long history loses its oldest events.

    Args:
        ttl: seconds after its last commit that a session is kept.
        sessions: so many there can be at a time; None for any number. Only the store in memory counts them.
        sessions_per_caller: so many that one principal can have at a time.
        context: bytes of a context as JSON.
        timers: delays that run in one session at a time.
        history: events of one session that are kept.

    Raises:
        ValueError: with every one that can't be.
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
    """What was said to a request, so that it can be said again. `sent` is a digest of what the request sent."""

    request_id: str
    sent: str
    say: str


class Event(NamedTuple):
    """One transition, as the history keeps it. The store adds when it was, and the answer to its request."""

    seq: int
    """The revision that it made."""
    name: str
    """The event's type; for timers, services and starting over the engine's own (`xstate.…`)."""
    source: Any = None
    """The state value before it, None for the start; JSON."""
    target: Any = None
    """The state value after it; JSON."""
    request_id: str | None = None
    principal: str = ""
    """A hash of whose call it was; '' for nobody's: no sign-in, a timer, a service."""
    version: str | None = None
    """The machine's version that took it."""
    arguments: str = ""
    """A hash of what the event carried; '' for nothing."""
    audit: str | None = None
    """The arguments as JSON without private ones, where the server was asked to keep them."""


class EffectCall(NamedTuple):
    """An `@effect` that a transition asked for: `arguments` is a JSON object as text, `id` the same for ever."""

    id: str
    name: str
    arguments: str


class Commit(NamedTuple):
    """What one commit changes: all of it, or nothing.

    The row of the session is replaced, `events` are appended, `effects` put at the end of its outbox, and the services
    that are not in `services` any more are forgotten. Attempts go back to 0. The session's lease, if it has one, ends.
    """

    key: str
    expected: int | None
    """The revision that was loaded; None for a session that must not be there (or has expired)."""
    state: RunState
    """Its `seq` is the new revision. A store in memory keeps the object."""
    document: str | None = None
    """`state` as JSON text, for a store that is not `instant`; kept as it is."""
    chart: Chart | None = None
    """What `state` is a state of, for a store that keeps the object."""
    machine: str = ""
    """The machine's id; sessions of several machines may lie in one store."""
    events: Sequence[Event] = ()
    answer: Answer | None = None
    """Kept for `ANSWERS_KEPT_FOR` and `ANSWERS_KEPT_OVER`. It replaces an earlier one of the same request."""
    effects: Sequence[EffectCall] = ()
    services: Sequence[str] = ()
    """The keys of the services that run from now on; new ones are leased to `owner` for `seconds`."""
    owner: str = ""
    """The process that commits."""
    seconds: float = 30.0
    news: tuple[str, ...] = ()
    """All that nobody has heard yet."""
    timer_at: float | None = None
    """When the first timer falls due, in milliseconds by the store's clock."""
    fence: int | None = None
    """Of the lease that the turn held. Without one, the commit is refused while anyone holds a lease."""
    caller: str = ""
    """A hash of the principal, to count sessions; '' for nobody, whose sessions are not counted."""
    run: str = ""
    """For a new session: a random name of this life of it, that no other ever has."""
    ends: str | None = None
    """The id of an effect that is given up by this commit: it goes to the dead letters."""


Committed: TypeAlias = Literal["committed", "conflict", "leased"]
"""What became of a commit: it happened; the session is at another revision; another process holds its lease."""


class StoredSession(NamedTuple):
    """Where a session stands: `state` and its `chart` of a store in memory, `document` of any other."""

    revision: int
    now: float
    """When it was loaded, in milliseconds by the store's clock; never later than that clock."""
    state: RunState | None = None
    chart: Chart | None = None
    document: str | None = None
    attempts: int = 0
    """The failures in a row since it last changed."""
    news: tuple[str, ...] = ()
    answer: Answer | None = None
    """The one to the request that was asked for."""
    run: str = ""
    leased_until: float = 0.0
    """When the lease that somebody holds runs out, by the store's clock; 0 if nobody does."""


class Lease(NamedTuple):
    """The right to be the only one who runs step code that waits. `revision` is the session's now; None if new."""

    fence: int
    revision: int | None


class Overdue(NamedTuple):
    """Sessions that have something to do now, and how many milliseconds it is until the next one has; None: never."""

    keys: Sequence[str]
    next_in: float | None


class Outgoing(NamedTuple):
    """An effect that is to be run now. `attempt` counts from 1."""

    id: str
    name: str
    arguments: str
    attempt: int


class PastEvent(NamedTuple):
    """An event of the history: when it was (UTC, milliseconds since 1970), and what is said to its request."""

    at: float
    event: Event
    say: str | None = None


class SessionInfo(NamedTuple):
    """A line of a list of sessions. Times are milliseconds since 1970, by the store's clock."""

    key: str
    machine: str
    revision: int
    created: float
    changed: float
    expires: float
    caller: str = ""
    wake_at: float | None = None
    outgoing: int = 0
    """Effects that have not been done yet."""
    dead: int = 0
    """Effects that were given up."""


class LimitExceeded(FsmVoiceError):
    """More than a store keeps: a context that is too big, too many timers, too many sessions of one caller."""


class StoreFull(LimitExceeded):
    """There is no room for another session."""


class StoreUnavailable(FsmVoiceError):
    """The store can't be reached or can't write, and nothing was changed; the same call may succeed later."""


class CommitUnknown(FsmVoiceError):
    """The connection broke while a commit was under way: it may have happened. Its request id tells."""


Changed: TypeAlias = Callable[[str, int], None]
"""Is told a session's key and its new revision. It must not wait."""


class SessionStore(Protocol):
    """Keeps sessions by key, with all that belongs to them. A session's revision is its run state's `seq`.

    Every method that changes something does all of it or nothing, and has done it durably when it returns.
    All times are the store's own: its clock decides what is due, expired or leased, never the caller's.

    Raises, from any method:
        StoreUnavailable: nothing was changed.
        CommitUnknown: from `commit`, where the store can't tell.
    """

    @property
    def instant(self) -> bool:
        """Whether it lives in this process and none of its methods ever waits.

        It keeps run states as objects then, and needs no leases: the calls of one process take turns anyway.
        The calls on others are shielded, so that no cancellation breaks them.
        """
        ...

    @property
    def limits(self) -> Limits: ...

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        """The session, and its answer to that request; None if there is none, or it has expired."""
        ...

    async def expired(self, key: str) -> bool:
        """Whether there was such a session, and it has expired; True at least for as long again as it had lived."""
        ...

    async def commit(self, commit: Commit) -> Committed:
        """Do what `commit` says if the session is still at `expected`, has not expired and is not leased to others.

        A new session takes the place of an expired one, of which nothing is left.

        Raises:
            StoreFull: for a new session, where there is no room, or its caller has too many already.
        """
        ...

    async def note(self, key: str, revision: int, attempts: int, news: tuple[str, ...]) -> None:
        """Set the failures in a row, and what nobody has heard yet, if the session is still at that revision.

        Best effort; it changes no revision, and is not a commit.
        """
        ...

    async def delete(self, key: str) -> bool:
        """Forget the session and all that belongs to it; whether it was there."""
        ...

    async def now(self) -> float:
        """The store's clock: milliseconds since 1970."""
        ...

    async def check(self) -> None:
        """Make sure that sessions can be read and written now, without changing anything. Raises StoreUnavailable."""
        ...

    # -- leases: at most one process runs step code that waits --------------------------------------------------

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        """Take the session's lease; None while another lease of it lasts. There need be no such session yet.

        Each lease of a session has a higher fence. `owner` may not take it twice either.
        """
        ...

    async def release(self, key: str, fence: int) -> None:
        """Give the lease back, if it is still the one with this fence."""
        ...

    # -- what a session does by itself ---------------------------------------------------------------------------

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        """Up to `limit` sessions of a machine that have something to do.

        That is a timer that is due, a service whose lease ran out, or an effect to be run.
        None of them is named again, to anyone, within `hold` seconds, unless it is committed meanwhile: its caller
        may die. Each session has one time at which it is so: the earliest of the three, set by whatever changes them.
        """
        ...

    async def wake(self, key: str, seconds: float) -> None:
        """Have the session be overdue in so many seconds, in place of when it would be named again.

        Nothing happens to one that has nothing to do.
        """
        ...

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        """Take over a service whose lease ran out; how often it was begun, this time included.

        None if it does not run any more, or somebody else has it.
        """
        ...

    async def keep_services(
        self, owner: str, services: Sequence[tuple[str, str]], seconds: float
    ) -> Sequence[tuple[str, str]]:
        """Renew the leases of the services, (key, service) each, that `owner` still has; those that it has no more.

        Another process has taken them over, or has left their state, or there is no such session any more.
        """
        ...

    async def give_up_services(self, owner: str, services: Sequence[tuple[str, str]]) -> None:
        """End these leases, so that another process takes the services over at once."""
        ...

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        """The oldest effect of the session, if it is due and nobody has claimed it; claimed for `seconds`.

        One after the other: while the oldest one waits or runs, the session's others wait too.
        """
        ...

    async def finish_effect(self, key: str, effect: str) -> None:
        """The effect is done."""
        ...

    async def retry_effect(self, key: str, effect: str, attempt: int, seconds: float, error: str) -> None:
        """That attempt failed: try again in `seconds`; nothing happens if it was claimed again meanwhile."""
        ...

    # -- around the sessions ---------------------------------------------------------------------------------------

    async def keys(self) -> Sequence[bytes]:
        """32-byte keys to seal what is given to clients, the same for every process; made at the first call.

        The first one seals, all open.
        """
        ...

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Have `changed` called, on the running event loop, after each commit of any process; returns what ends that.

        Of several commits of one session in a short time, perhaps only the last is told.
        """
        ...

    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]:
        """The session's last `limit` events, the oldest first."""
        ...

    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]:
        """Sessions that have not expired, by key, from behind `after` on."""
        ...

    async def sweep(self) -> int:
        """Delete some of what has long expired; how many sessions. Called now and then by those who use the store."""
        ...

    async def aclose(self) -> None:
        """Finish what is under way and let go of everything. Closing twice is not an error."""
        ...
