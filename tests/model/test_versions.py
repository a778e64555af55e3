"""A run that another version stored: it goes on, is migrated, or is refused; nothing is lost or guessed."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import RestoreError, State, VoiceMachine, migration, transition
from fsmvoice.machine.actor import compile_config
from fsmvoice.model.versions import load_run_state


class Item(BaseModel):
    name: str = "x"


class OldCart(BaseModel):
    count: int = 0
    items: list[Item] = []


class NewCart(BaseModel):
    total: int = 0


class Old(VoiceMachine[OldCart], id="shop", version="1"):
    idle = State(initial=True)
    busy = State()

    @transition("GO", source=idle, target=busy)
    @transition("GO", source=busy, target=idle)
    def go(self) -> None:
        self.context.count += 1
        self.context.items.append(Item(name="tea"))


class New(VoiceMachine[NewCart], id="shop", version="3"):
    waiting = State(initial=True)
    busy = State()

    @transition("GO", source=waiting, target=busy)
    @transition("GO", source=busy, target=waiting)
    def go(self) -> None: ...

    @migration("1", "2")
    @staticmethod
    def states(document: dict[str, Any]) -> dict[str, Any]:
        document["states"] = ["waiting" if state == "idle" else state for state in document["states"]]
        return document

    @migration("2", "3")
    @staticmethod
    def totals(document: dict[str, Any]) -> dict[str, Any]:
        context = document["context"]
        return {**document, "context": {"total": context["count"]}}


def stored() -> dict[str, Any]:
    machine = Old()
    machine.go.sync()
    machine.go.sync()
    return machine.snapshot.persist()


def test_migrations_are_chained_to_the_version_that_loads() -> None:
    machine = New.restore(stored())
    assert (machine.state, machine.context.total, machine.snapshot.revision) == ("waiting", 2, 2)
    assert machine.snapshot.persist()["version"] == "3"


def test_a_migration_does_not_touch_the_document_it_is_given() -> None:
    document = stored()
    before = copy.deepcopy(document)
    load_run_state(New.chart, document)
    assert document == before


def test_without_a_way_to_this_version_it_is_refused_and_both_are_named() -> None:
    document = {**stored(), "version": "0"}
    with pytest.raises(RestoreError, match=r"version '0', this is '3'.*'idle'"):
        New.restore(document)


def test_a_field_that_would_be_lost_is_refused() -> None:
    class Less(BaseModel):
        items: list[Item] = []

    class Fewer(VoiceMachine[Less], id="shop", version="2"):
        idle = State(initial=True)
        busy = State()

        @transition("GO", source=idle, target=busy)
        @transition("GO", source=busy, target=idle)
        def go(self) -> None: ...

    with pytest.raises(RestoreError, match="the context field 'count', which would be lost"):
        Fewer.restore(stored())

    nested = stored()
    nested["definition"] = "another"
    nested["context"]["items"][0]["price"] = 3
    with pytest.raises(RestoreError, match=r"'items\[\]\.price'"):
        Old.restore(nested)


def test_a_migration_that_fails_is_reported_with_what_it_was_needed_for() -> None:
    def broken(document: dict[str, Any]) -> dict[str, Any]:
        raise KeyError("count")

    config: dict[str, Any] = {"id": "shop", "version": "2", "initial": "a", "states": {"a": {}}}
    chart = compile_config(config, migrations=[migration("1", "2")(broken)])
    with pytest.raises(RestoreError, match=r"the migration '1' -> '2' of machine 'shop' failed: KeyError.*'idle'"):
        load_run_state(chart, stored())


def test_a_configs_migrations_are_functions() -> None:
    def renamed(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "states": ["a"]}

    config: dict[str, Any] = {"id": "shop", "version": "2", "initial": "a", "states": {"a": {}}}
    chart = compile_config(config, migrations=[migration("1", "2")(renamed)])
    assert load_run_state(chart, stored()).context == {"count": 2, "items": [{"name": "tea"}, {"name": "tea"}]}


def test_another_machines_run_is_refused_whatever_its_migrations() -> None:
    with pytest.raises(RestoreError, match="of machine 'other'"):
        New.restore({**stored(), "machine": "other"})


@pytest.mark.parametrize("version", [["1"], {"a": 1}, 1, True])
def test_a_version_that_is_none_is_a_misfit_like_another(version: Any) -> None:
    with pytest.raises(RestoreError):
        load_run_state(
            compile_config({"id": "m", "version": "2", "initial": "a", "states": {"a": {}}}), {"version": version}
        )
