"""The command line as a user meets it: what it prints, and with which code it ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsmvoice.cli.__main__ import main

Run = Callable[..., Result]

COFFEE = """\
from fsmvoice import State, VoiceMachine, transition

class Coffee(VoiceMachine):
    idle = State(initial=True, prompt="What would you like?")
    done = State(final=True)
    @transition("ORDER", source=idle, target=done)
    def order(self) -> None: ...
"""


@pytest.fixture
def run() -> Run:
    """Run `fsmvoice` with arguments."""

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(main, arguments, prog_name="fsmvoice")

    return command


EXAMPLES = str(Path(__file__).parents[2] / "examples")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """An empty folder to work in; modules that a test loads are forgotten after it."""
    monkeypatch.chdir(tmp_path)
    _forget(EXAMPLES)  # what a test elsewhere has loaded would be taken for a target of the same name
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    _forget(EXAMPLES)
    _forget(str(tmp_path))


def _forget(where: str) -> None:
    """Forget the modules that were loaded from there under a name of their own."""
    sys.path[:] = [entry for entry in sys.path if entry != where]
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(where) and not name.startswith("examples"):
            del sys.modules[name]
