"""Clause C8 of docs/guarantees.md, on every store; tests/model/test_versions.py has the documents."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from fsmvoice import State, VoiceMachine, migration, transition
from fsmvoice.machine.actor import compile_config
from fsmvoice.model.chart import Chart
from tests.sessions.benches import LOCAL, Stores, fire, stores, value
from tests.sessions.till import Shop, Till, fresh

__all__ = ["fresh", "stores"]


class Two(VoiceMachine[Shop], id="m", version="2"):
    waiting = State(initial=True)
    paying = State()
    paid = State(final=True)

    @migration("1", "2")
    @staticmethod
    def renamed(document: dict[str, Any]) -> dict[str, Any]:
        document["states"] = ["waiting" if state == "idle" else state for state in document["states"]]
        return document

    @transition("PAY", source=waiting, target=paying)
    def pay(self) -> None: ...

    @transition("QUICK", source=waiting)
    def quick(self) -> None:
        self.context.paid += 1

    @transition("DONE", source=paying, target=paid)
    def done(self) -> None: ...


class Unmigrated(VoiceMachine[Shop], id="m", version="3"):
    elsewhere = State(initial=True)
    paid = State(final=True)

    @transition("QUICK", source=elsewhere, target=paid)
    def quick(self) -> None: ...


class Reworded(VoiceMachine[Shop], id="m", version="1.1"):
    idle = State(initial=True, prompt="New words.")
    paying = State(prompt="New words here too.")
    paid = State(final=True)
    refunded = State()

    @transition("QUICK", source=[idle, paying])
    def quick(self) -> None:
        self.context.paid += 10

    @transition("BACK", source=idle, target=refunded)
    @transition("BACK", source=[refunded, paying], target=paid)
    def back(self) -> None: ...

    @transition("DONE", source=idle, target=paying)
    def done(self) -> None: ...


async def test_c8_versions_texts_and_added_states_never_matter(stores: Stores) -> None:
    await fire(stores.sessions(Till.chart), "QUICK")
    turn = await fire(stores.sessions(Reworded.chart), "QUICK")
    assert turn.outcome is not None
    assert turn.outcome.context.paid == 11
    assert (await fire(stores.sessions(Till.chart), "QUICK")).reason is None


async def test_c8_versions_a_session_is_migrated_with_the_next_commit(stores: Stores) -> None:
    old, new = stores.sessions(Till.chart), stores.sessions(Two.chart)
    await fire(old, "QUICK")
    before = await old.store.load(LOCAL.storage)
    assert await value(new) == "waiting"
    after_looking = await old.store.load(LOCAL.storage)
    assert before is not None
    assert after_looking is not None
    assert after_looking.document == before.document

    assert (await fire(new, "QUICK")).reason is None
    assert (await new.look(LOCAL)).context.paid == 2
    assert [past.event.version for past in await new.store.history(LOCAL.storage)] == ["1", "1", "2"]


async def test_c8_versions_what_does_not_fit_is_refused_and_left_alone(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = stores.sessions(Till.chart), stores.sessions(Two.chart)
    await fire(new, "QUICK")
    for sessions in (old, stores.sessions(Unmigrated.chart)):
        with caplog.at_level(logging.ERROR, "fsmvoice"):
            assert (await fire(sessions, "QUICK")).reason == "definition-mismatch"
    assert "'waiting'" in caplog.text
    assert "version '2', this is '3'" in caplog.text
    assert (await fire(new, "QUICK")).reason is None


async def test_c8_versions_what_does_not_fit_can_be_started_over(stores: Stores) -> None:
    new = stores.sessions(Unmigrated.chart)
    await fire(stores.sessions(Two.chart), "QUICK")
    turn = await new.take_turn(LOCAL, lambda actor: actor.reset_async(), due=False)
    assert turn.reason is None
    assert await value(new) == "elsewhere"
    assert (await fire(new, "QUICK")).reason is None
    assert [past.event.seq for past in await new.store.history(LOCAL.storage)] == [0, 1, 2, 3]


async def test_c8_versions_a_migration_that_changes_the_revision_is_a_misfit_at_once(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    def renumbered(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "states": ["b"], "seq": 7}

    def chart(version: str, state: str) -> Chart:
        config: dict[str, Any] = {
            "id": "m",
            "version": version,
            "initial": state,
            "states": {state: {"on": {"GO": state}}},
        }
        return compile_config(config, migrations=[migration("1", "2")(renumbered)])

    await fire(stores.sessions(chart("1", "a")), "GO")
    with caplog.at_level(logging.ERROR, "fsmvoice"):
        assert (await fire(stores.sessions(chart("2", "b")), "GO")).reason == "definition-mismatch"
    assert "must not change 'seq'" in caplog.text
