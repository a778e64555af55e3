"""What sessions do though nobody calls."""

from __future__ import annotations

import asyncio

from fsmvoice.machine.actor import compile_config
from fsmvoice.sessions.store import Limits
from fsmvoice.sessions.tending import SWEEP
from fsmvoice.sessions.turn import Sessions
from tests.sessions.model.loop import ModelLoop
from tests.sessions.model.stores import InSqlite
from tests.sessions.store_conformance.bench import commit


def test_however_many_have_long_expired_all_of_them_are_swept() -> None:
    loop = ModelLoop()
    place = InSqlite(loop)

    async def left() -> list[str]:
        store = await place.open(Limits(ttl=10))
        names = [f"s{number}" for number in range(500)]
        await asyncio.gather(*(store.commit(commit(name, 0, None)) for name in names))
        sessions = Sessions(compile_config({"id": "m", "initial": "a", "states": {"a": {}}}), store)
        sessions.begin()
        await asyncio.sleep(SWEEP + 10)
        found = [name for name in names if await store.expired(name)]
        await sessions.aclose(grace=0)
        await store.aclose()
        await place.aclose()
        return found

    try:
        assert loop.run_until_complete(left()) == []
    finally:
        loop.close()
