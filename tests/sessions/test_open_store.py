"""A store is opened by its URL, and a URL that is none says what it should be like."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsmvoice import BadStore, Limits, MemoryStore, SqliteStore, open_store


@pytest.mark.parametrize("url", ["memory:", "memory", "memory://"])
async def test_a_store_in_memory(url: str) -> None:
    store = await open_store(url, limits=Limits(history=3))
    assert isinstance(store, MemoryStore)
    assert store.limits.history == 3


async def test_a_file_is_made_with_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    relative = await open_store("sqlite:///.fsmvoice/sessions.db")
    absolute = await open_store(f"sqlite:///{tmp_path}/%231%3F%20%ff.db?synchronous=normal")
    for store in (relative, absolute):
        assert isinstance(store, SqliteStore)
        await store.aclose()
    assert (tmp_path / ".fsmvoice" / "sessions.db").exists()
    assert (tmp_path / os.fsdecode(b"#1? \xff.db")).exists()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis://localhost", "there is no store 'redis://localhost'; it should be like memory:"),
        ("sqlite://sessions.db", "names no file; it should be like sqlite:///"),
        ("sqlite:///", "names no file"),
        ("sqlite:///what?.db", "in a file name write %3F and %23"),
        ("sqlite:///s#1.db", "in a file name write %3F and %23"),
        ("data/s 1.db", "there is no store 'data/s 1.db'; for a file write sqlite:///data/s%201.db"),
        ("/data/s.db", "for a file write sqlite:////data/s.db"),
        ("sqlite:///a.db?sync=off", "unknown option 'sync'"),
        ("sqlite:///a.db?synchronous=off", "it should be full or normal"),
        ("", "there is no store ''"),
        ("postgresql://ann:secret@[::1/db", r"'postgresql://ann@\[::1/db' is not a URL of a store"),
        ("mysql://ann:secret@host/db", r"there is no store 'mysql://ann@host/db'"),
    ],
)
async def test_what_is_not_a_url_of_a_store_is_reported(url: str, told: str) -> None:
    with pytest.raises(BadStore, match=told):
        await open_store(url)
