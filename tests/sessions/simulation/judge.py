"""What must hold after a simulated run, and at each commit of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fsmvoice.sessions.store import Commit, Committed, PastEvent, SessionStore
from tests.sessions.simulation.disk import Before
from tests.sessions.simulation.machine import DELAY, chained
from tests.sessions.simulation.world import World, key_of

WORDS = ("ADD", "ADD_SLOWLY", "CHECK")
RING = "xstate.after"
DONE = "xstate.done.actor.look"


def watch(world: World, commit: Commit, done: Committed, before: Before) -> None:
    """One commit: it was of who had the lease, and no delay ended early."""
    now = world.clock.now()
    document, fence, leased_until, revision = before
    if done != "committed":
        return
    world.events["commit"] += 1
    if commit.fence is None and leased_until > now:
        world.wrong.append(f"revision {commit.state.seq} was committed under the lease of another")
    if commit.fence is not None and commit.fence != fence:
        world.wrong.append(f"revision {commit.state.seq} was committed under lease {commit.fence}, not {fence}")
    if (None if revision < 0 else revision) != commit.expected:
        world.wrong.append(f"revision {commit.state.seq} was made of {commit.expected}, where {revision} stood")
    if commit.events and commit.events[0].name.startswith(RING):
        world.events["ring"] += 1
        due = [timer["due"] for timer in json.loads(document or "{}").get("timers", ())]
        if not due or min(due) > now:
            world.wrong.append(f"a delay that was due at {due} ended at {now}")


async def judge(world: World, store: SessionStore) -> None:
    """The whole store against what was sent and told; what is wrong goes to `world.wrong`."""
    stands: dict[tuple[str, str], int] = {}
    written: dict[str, list[str]] = {}
    for _, word in world.receipts:
        written.setdefault(word.partition(":")[0], []).append(word)
    for info in await store.list(limit=1000):
        if info.outgoing or info.dead:
            world.wrong.append(f"{info.outgoing} effects are left, {info.dead} were given up")
    for session, sent in world.told.sent.items():
        key = key_of(session).storage
        stored, history = await store.load(key), await store.history(key, limit=100_000)
        if stored is None:
            world.wrong += [f"{session} is not there"] if history else []
            continue
        document = json.loads(stored.document or "{}")
        world.wrong += [f"{session}: {text}" for text in disagreements(stored.revision, document, history, sent)]
        words = [past for past in history if past.event.name in WORDS]
        stands.update(((session, past.event.request_id or ""), past.event.seq) for past in words)
        asked = [str(past.event.request_id) for past in words]
        wanted = [word for word in asked if word.endswith(("0", "1", "2"))]
        if list(dict.fromkeys(written.get(session, ()))) != wanted:
            world.wrong.append(f"{session}: receipts {written.get(session)} of {wanted}")
    for (session, word), (revision, replayed) in world.told.acked.items():
        at = stands.get((session, word))
        # A reply that waited for a service is of a later revision than its event.
        if at is None or at > revision:
            world.wrong.append(f"{word} was told to be {revision} ({'replayed' if replayed else 'done'}), and is {at}")
    if len({key for key, _ in world.receipts}) != len({word for _, word in world.receipts}):
        world.wrong.append("an effect ran under two ids")


def disagreements(revision: int, document: Any, history: Sequence[PastEvent], sent: set[str]) -> list[str]:
    """Where the state is not what its history makes."""
    wrong: list[str] = []
    context: dict[str, Any] = {"count": 0, "chain": "", "rung": 0, "checked": 0}
    state = "resting"
    for past in history[1:]:
        event = past.event
        if event.source != state:
            wrong.append(f"{event.name} at {event.seq} is from {event.source}, not from {state}")
        if event.name in WORDS:
            context["count"] += 1
            context["chain"] = chained(context["chain"], str(event.request_id))
            state = "checking" if event.name == "CHECK" else "armed"
        elif event.name.startswith(RING):
            wrong += [] if state == "armed" else [f"it rang at {event.seq} in {state}"]
            context["rung"] += 1
            context["chain"] = chained(context["chain"], "ring")
            state = "resting"
        elif event.name == DONE and event.target is not None:
            context["checked"] += 1
            state = "resting"
        if event.target not in (state, None):
            wrong.append(f"{event.name} at {event.seq} leads to {event.target}, not to {state}")
    if [past.event.seq for past in history] != list(range(revision + 1)):
        wrong.append(f"the history's numbers are not 0 to {revision}")
    if document["seq"] != revision or document["context"] != context or document["states"] != [state]:
        wrong.append(f"it is {document}, its history makes {revision} {state} {context}")
    if document.get("timers") or document.get("services") or state != "resting":
        wrong.append(f"after {DELAY} s and more it is still {state}: {document}")
    times = Counter(past.event.request_id for past in history if past.event.name in WORDS)
    wrong += [f"{word} was done {count} times" for word, count in times.items() if count > 1]
    wrong += [f"nobody sent {word}" for word in times if word not in sent]
    return wrong
