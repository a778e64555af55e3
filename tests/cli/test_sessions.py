"""`fsmvoice sessions`: what a store keeps, without what is nobody's business."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from fsmvoice.cli.target import load_target
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.open_store import open_store
from tests.cli.conftest import Run

MACHINE = """\
from dataclasses import dataclass
from typing import Annotated
from fsmvoice import Private, State, VoiceMachine, transition

@dataclass
class Order:
    drink: str = ""
    card: Annotated[str, Private] = ""

class Coffee(VoiceMachine[Order]):
    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt="Shall I place it?")

    @transition("ORDER", source=idle, target=ordering)
    def order(self, drink: str) -> None:
        self.context.drink, self.context.card = drink, "4111-1111"

    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None: ...
"""


@pytest.fixture
def store(folder: Path) -> tuple[str, str]:
    """`--store` with two sessions in it."""
    (folder / "coffee.py").write_text(MACHINE)

    async def fill() -> None:
        kept = await open_store("sqlite:///s.db")
        bridge = load_target("coffee.py", None).bridge(kept)
        for who in ("ann", "bob"):
            ctx = CallContext(principal=who, meta={"dev.fsmvoice/request-id": "r1"})
            await bridge.call("coffee_order", {"drink": "latte"}, ctx)
        await bridge.aclose(0)
        await kept.aclose()

    asyncio.run(fill())
    return ("--store", "sqlite:///s.db")


def keys(run: Run, store: tuple[str, str]) -> list[str]:
    listed = json.loads(run("sessions", "list", *store, "--json").stdout)
    return [session["session"] for session in listed["sessions"]]


def test_sessions_are_listed_page_by_page(run: Run, store: tuple[str, str]) -> None:
    there = keys(run, store)
    assert len(there) == 2
    first = run("sessions", "list", *store, "--limit", "1").stdout
    assert there[0][:16] in first
    assert first.splitlines()[-1] == f"There are more: --after {there[0]}"
    second = json.loads(run("sessions", "list", *store, "--after", there[0], "--json").stdout)
    assert [session["session"] for session in second["sessions"]] == there[1:]
    assert second["after"] is None
    assert (second["sessions"][0]["machine"], second["sessions"][0]["states"]) == ("coffee", ["ordering"])
    assert run("sessions", "list", *store, "--after", there[1]).stdout == "There are no more sessions.\n"


def test_the_beginning_of_a_key_is_enough_and_values_are_hidden(run: Run, store: tuple[str, str]) -> None:
    key = keys(run, store)[0]
    plain = run("sessions", "show", key[:10], *store).stdout
    assert 'states: ["ordering"]' in plain
    assert "  drink: (hidden)" in plain
    known = run("sessions", "show", key[:10], *store, "--machine", "coffee.py").stdout
    assert '  drink: "latte"' in known
    assert "  card: (hidden)" in known
    assert "4111" not in plain + known
    told = json.loads(run("sessions", "show", key, *store, "--private", "--json").stdout)
    assert told["context"] == {"drink": "latte", "card": "4111-1111"}


def test_what_a_caller_sent_does_not_command_the_terminal(run: Run, store: tuple[str, str]) -> None:
    async def order() -> None:
        kept = await open_store("sqlite:///s.db")
        bridge = load_target("coffee.py", None).bridge(kept)
        await bridge.call("coffee_order", {"drink": "\x1b[2J\u202ex"}, CallContext(principal="eve"))
        await bridge.aclose(0)
        await kept.aclose()

    asyncio.run(order())
    for key in keys(run, store):
        for command in ("show", "history"):
            printed = run("sessions", command, key, *store, "--private").stdout
            assert all(one.isprintable() for one in printed.replace("\n", ""))
            assert run("sessions", command, key, *store, "--private", "--json").exit_code == 0
    with contextlib.closing(sqlite3.connect("s.db")) as file, file:
        file.execute("UPDATE sessions SET document = '{'")
    assert "(damaged)" in run("sessions", "list", *store).stdout


def test_the_history_is_reported_and_words_only_if_asked_for(run: Run, store: tuple[str, str]) -> None:
    key = keys(run, store)[0]
    plain = run("sessions", "history", key[:10], *store).stdout
    assert "ORDER: idle -> ordering" in plain
    assert "Shall I place it?" not in plain
    assert "say: Shall I place it?" in run("sessions", "history", key[:10], *store, "--private").stdout
    assert "Earlier" not in plain
    assert run("sessions", "history", key[:10], *store, "--limit", "1").stdout.startswith("   ...  Earlier events are")
    last = json.loads(run("sessions", "history", key[:10], *store, "--json", "--limit", "1").stdout)
    assert [(event["event"], event["from"], event["to"], event["request_id"]) for event in last] == [
        ("ORDER", "idle", "ordering", "r1")
    ]


def test_a_session_is_ended_when_one_says_yes(run: Run, store: tuple[str, str]) -> None:
    first, second = keys(run, store)
    assert run("sessions", "end", first, *store).exit_code == 1
    assert keys(run, store) == [first, second]
    assert run("sessions", "end", first, *store, "--yes").stdout == f"Ended {first}.\n"
    assert keys(run, store) == [second]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "abc", "--store", "sqlite:///nowhere.db"), "there is no file nowhere.db"),
        (("list", "--store", "memory:"), "belongs to one process"),
        (("list", "--store", "redis://x"), "there is no store 'redis://x'"),
        (("list", "--store", "sqlite:///coffee.txt"), "coffee.txt"),
        (("list", "--store", "sqlite:///empty.db"), "empty.db is not a store of sessions: it is empty"),
        (("show", "abc", "--store", "sqlite:///other.db"), "other.db belongs to another program"),
        (("end", "abc", "--store", "sqlite:///other.db", "--yes"), "other.db belongs to another program"),
        (("list",), "Missing option '--store'"),
        (("show", "nothing", "--store", "sqlite:///s.db"), "'nothing' is not a session's key"),
        (("show", "\ud800", "--store", "sqlite:///s.db"), "is not a session's key"),
        (("history", "0" * 64, "--store", "sqlite:///s.db"), "there is no session whose key starts with"),
        (("end", "0" * 64, "--store", "sqlite:///s.db", "--yes"), "there is no session whose key starts with"),
        (
            ("list", "--store", "postgresql://u:secret@127.0.0.1:1/x"),
            "--store postgresql://u@127.0.0.1:1/x: the database",
        ),
    ],
)
def test_what_can_not_be_is_reported_and_nothing_is_made(
    folder: Path, run: Run, store: tuple[str, str], arguments: tuple[str, ...], told: str
) -> None:
    (folder / "coffee.txt").write_text("coffee")
    (folder / "empty.db").touch()
    with contextlib.closing(sqlite3.connect(folder / "other.db")) as other:
        other.execute("CREATE TABLE users (id)")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()}
    result = run("sessions", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert "secret" not in result.stderr
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()}
    assert after == before
