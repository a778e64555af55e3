"""What services and effects change in the context is seen by nobody else, and is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, effect, invoke, transition


class Pot(BaseModel):
    degrees: int = 20
    log: list[str] = []


class Kettle(VoiceMachine[Pot]):
    idle = State(initial=True)
    heating = State()
    hot = State(final=True)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []
        self.wait, self.waits = asyncio.Event(), asyncio.Event()

    @transition("GO", source=idle, target=heating)
    def go(self) -> None:
        self.context.log.append("go")

    @transition("TELL", source=[heating, idle])
    def tell(self) -> None:
        self.context.log.append("tell")
        self.report.later()

    @invoke(during=heating, done=hot)
    async def heat(self) -> dict[str, Any]:
        self.context.degrees = 50
        self.context.log.append("service")
        self.waits.set()
        await self.wait.wait()
        self.seen.append((self.context.degrees, list(self.context.log)))
        return {"degrees": 100}

    @effect
    async def report(self) -> None:
        self.context.log.append("effect")
        self.snapshot.context.degrees = 99
        await asyncio.sleep(0)
        self.seen.append(list(self.context.log))


async def test_what_a_service_changes_is_seen_by_nobody_and_not_kept(caplog: pytest.LogCaptureFixture) -> None:
    async with Kettle() as kettle:
        await kettle.go()
        await kettle.waits.wait()
        assert kettle.context == Pot(log=["go"])
        kettle.wait.set()
        await kettle.settled()
        assert kettle.seen == [(50, ["go", "service"])]  # its own copy
        assert (kettle.state, kettle.context) == ("hot", Pot(degrees=100, log=["go"]))
    assert "the service 'heat' of Kettle changed 'degrees', 'log' in its copy of the context" in caplog.text


async def test_an_effect_sees_what_is_committed_by_then_and_its_changes_are_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Kettle() as kettle:
        await kettle.tell()
        await kettle.tell()
        await kettle.settled()
        assert kettle.seen == [["tell", "tell", "effect"]] * 2
        assert kettle.context == Pot(log=["tell", "tell"])
    assert "the effect 'report' of Kettle changed 'degrees', 'log' in its copy of the context" in caplog.text


async def test_a_service_that_only_reads_sees_newer_commits_and_nothing_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Reader(VoiceMachine[Pot]):
        on = State(initial=True)
        begun = asyncio.Event()
        end = asyncio.Event()

        @transition("ADD", source=on)
        def add(self) -> None:
            self.context.degrees += 1

        @invoke(during=on)
        def read(self) -> Awaitable[dict[str, str]]:
            return self.reading()

        async def reading(self) -> dict[str, str]:
            first = self.context
            self.begun.set()
            await self.end.wait()
            assert (first.degrees, self.context.degrees) == (20, 21)
            assert self.context is self.context
            return {}

    async with Reader() as reader:
        await reader.begun.wait()
        await reader.add()
        reader.end.set()
        await reader.settled()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_service_without_a_loop_changes_nothing_either(caplog: pytest.LogCaptureFixture) -> None:
    class Plain(VoiceMachine[Pot]):
        idle = State(initial=True)
        on = State()

        @transition("GO", source=[idle, on], target=on)
        def go(self) -> None: ...

        @invoke(during=on)
        def note(self) -> None:
            self.context.degrees = 1

    plain = Plain()
    plain.go.sync()
    assert plain.context.degrees == 20
    assert "the service 'note' of Plain changed 'degrees'" in caplog.text
