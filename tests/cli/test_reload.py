"""`--reload`: what is watched, and that a change starts the server again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from fsmvoice.cli.reload import stamps, watched
from tests.cli.conftest import COFFEE
from tests.server.running import command, endpoint_told, environment


@contextmanager
def reloading(folder: Path, *, in_background: bool = False) -> Generator[subprocess.Popen[str]]:
    """`fsmvoice serve --reload` in a process group of its own, none of which outlives the test.

    Args:
        in_background: whether interrupts are ignored at first, as for a program that a shell starts in the background.
    """
    process = subprocess.Popen(
        command("serve", "coffee.py", "--port", "0", "--reload"),
        cwd=folder,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_ignore_interrupts if in_background else None,  # noqa: PLW1509 - it only sets a signal handler
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize("target", ["coffee.py", "coffee.py:Coffee", "coffee", "coffee:Coffee"])
def test_the_targets_file_is_watched_and_those_beside_it(folder: Path, target: str) -> None:
    for name in ("coffee.py", "menu.py", "notes.txt"):
        (folder / name).write_text(COFFEE)
    assert {path.name for path in watched(target)} == {"coffee.py", "menu.py"}


def test_a_json_config_and_its_functions_are_watched(folder: Path) -> None:
    for name in ("tea.json", "functions.py"):
        (folder / name).touch()
    assert {path.name for path in watched("tea.json", Path("functions.py"))} == {"tea.json", "functions.py"}


def test_a_change_shows_and_a_file_that_is_gone_does_not_matter(folder: Path) -> None:
    file = folder / "coffee.py"
    file.write_text(COFFEE)
    before = stamps([file, folder / "gone.py"])
    os.utime(file, (1, 1))
    assert stamps([file]) != before
    assert list(before) == [file]


def test_a_change_starts_the_server_again(folder: Path) -> None:
    file = folder / "coffee.py"
    file.write_text(COFFEE)
    with reloading(folder) as process:
        endpoint_told(process)
        file.write_text(COFFEE.replace("ORDER", "BREW"))
        assert process.stderr is not None
        told: list[str] = []
        while not any(re.search(r"coffee_brew\b", line) for line in told):
            told.append(process.stderr.readline())
            assert told[-1], told
        assert "coffee.py changed; restarting.\n" in told
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_a_broken_definition_waits_for_the_next_save_and_for_ctrl_c(folder: Path) -> None:
    (folder / "coffee.py").write_text("this is not Python")
    with reloading(folder, in_background=True) as process:
        assert process.stderr is not None
        while "waiting for a change" not in (line := process.stderr.readline()):
            assert line
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
