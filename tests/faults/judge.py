"""Whether a store holds what its callers were told, and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fsmvoice.sessions.keys import CallContext, session_key
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.store import PastEvent, SessionStore, StoredSession
from tests.faults.callers import Ledger
from tests.faults.machine import chained

WORDS = ("ADD", "ADD_SLOWLY")


class Verdict(NamedTuple):
    """How many acknowledged words, how many committed, and what is wrong with them.

    Attributes:
        lost: acknowledged and not in the history, or not at the revision that was told.
        half: sessions whose state, history and timers do not belong together, and receipts without their word.
        dup: words that were committed more than once.
        missing: receipts that are neither written nor waiting.
        notes: what is wrong, one line each.
    """

    acked: int
    committed: int
    lost: int
    half: int
    dup: int
    missing: int
    notes: tuple[str, ...]

    @property
    def line(self) -> str:
        return f"acked {self.acked} committed {self.committed} LOST {self.lost} HALF {self.half} DUP {self.dup}"

    @property
    def clean(self) -> bool:
        return self.lost == self.half == self.dup == self.missing == 0


async def judge(store: SessionStore, ledger: Ledger, receipts: Path) -> Verdict:
    """Read everything again, and compare it with what was sent and told."""
    notes: list[str] = []
    committed: dict[tuple[str, str], int] = {}
    lost = half = dup = 0
    for session, sent in ledger.sent.items():
        key = session_key(CallContext(meta={SESSION_META: session}), "tally").storage
        stored, history = await store.load(key), await store.history(key, limit=1_000_000)
        wrong = [] if stored is None and not history else _disagreements(stored, history, sent)
        half += bool(wrong)
        notes += [f"{session}: {text}" for text in wrong]
        times = Counter(past.event.request_id for past in history if past.event.name in WORDS)
        again = [f"{session}: {word} {count} times" for word, count in times.items() if count > 1]
        dup += len(again)
        notes += again
        for past in history:
            if past.event.name in WORDS and past.event.request_id is not None:
                committed[session, past.event.request_id] = past.event.seq
    for (session, word), revision in ledger.acked.items():
        at = committed.get((session, word))
        if at is None or revision not in (None, at):
            lost += 1
            notes.append(f"{session}: {word} was acknowledged at {revision} and stands at {at}")
    written = _written(receipts)
    words = {word for _, word in committed}
    ghosts = {word for _, word in written} - words
    half += len(ghosts)
    notes += [f"a receipt for {word}, which was never committed" for word in ghosts]
    gone = (words & ledger.with_receipt) - {word for _, word in written}
    notes += [f"no receipt for {word}" for word in gone]
    return Verdict(len(ledger.acked), len(committed), lost, half, dup, len(gone), tuple(notes))


def _written(receipts: Path) -> list[list[str]]:
    """The key and the word of each receipt."""
    return [line.split() for line in receipts.read_text().splitlines()] if receipts.exists() else []


def _disagreements(stored: StoredSession | None, history: Sequence[PastEvent], sent: set[str]) -> list[str]:
    if stored is None or stored.document is None:
        return ["a history without a state"]
    document: dict[str, Any] = json.loads(stored.document)
    words = [past.event.request_id or "" for past in history if past.event.name in WORDS]
    chain = ""
    for word in words:
        chain = chained(chain, word)
    wrong: list[str] = []
    if [past.event.seq for past in history] != list(range(stored.revision + 1)):
        wrong.append(f"the history's numbers are not 0 to {stored.revision}")
    if document["seq"] != stored.revision:
        wrong.append(f"the state's revision is {document['seq']}, the session's {stored.revision}")
    if document["context"] != {"count": len(words), "chain": chain}:
        wrong.append(f"the context is {document['context']}, its history makes {len(words)} {chain}")
    state = "odd" if len(words) % 2 else "even"
    if document["states"] != [state] or len(document["timers"]) != (state == "odd"):
        wrong.append(f"it stands in {document['states']} with {len(document['timers'])} timers, not in {state}")
    if strangers := set(words) - sent:
        wrong.append(f"nobody sent {sorted(strangers)}")
    return wrong
