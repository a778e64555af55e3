"""What goes wrong at the command line, told in one message without a traceback."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import IO, Any, ClassVar

import click

WRONG_INPUT = 2
"""Exit code: the command line, the target or the definition in it is wrong."""
CANNOT_LISTEN = 3
"""Exit code: the address can't be listened on."""


class Failure(click.ClickException):
    """An error of the user's, to be said on stderr as it is."""

    exit_code: ClassVar[int] = WRONG_INPUT

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"Error: {self.message}", file=file, err=file is None)


class NoAddress(Failure):
    """An address that can't be listened on."""

    exit_code: ClassVar[int] = CANNOT_LISTEN


def shown(path: Path) -> str:
    """A path as it is shortest from here."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def where_raised(error: BaseException, file: Path) -> str:
    """`file:line` of the last line of `file` that had a part in raising `error`."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if Path(frame.filename) == file]
    return f"{shown(file)}:{own[-1]}" if own else shown(file)


def told(error: BaseException) -> str:
    """An exception in one line, as Python would end its traceback."""
    return "".join(traceback.format_exception_only(error)).strip()


def warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Say a warning in a line; it takes what `warnings.showwarning` gets."""
    click.echo(f"Warning: {message}", err=True, file=sys.stderr)
