"""Errors of the command line, reported in one message without a traceback."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import IO, Any, ClassVar

import click

WRONG_INPUT = 2
"""Exit code: the command line, the target or its definition is invalid."""
CANNOT_LISTEN = 3
"""Exit code: the server can't listen on the address."""


class Failure(click.ClickException):
    """A user's error, printed to stderr."""

    exit_code: ClassVar[int] = WRONG_INPUT

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"Error: {self.message}", file=file, err=file is None)


class NoAddress(Failure):
    """The server can't listen on an address."""

    exit_code: ClassVar[int] = CANNOT_LISTEN


def shown(path: Path) -> str:
    """A path relative to the working directory, if it is inside it."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def where_raised(error: BaseException, file: Path) -> str:
    """`file:line` of the innermost frame of `error` that is in `file`."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if Path(frame.filename) == file]
    return f"{shown(file)}:{own[-1]}" if own else shown(file)


def told(error: BaseException) -> str:
    """The last line of an exception's traceback."""
    return "".join(traceback.format_exception_only(error)).strip()


def warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning in one line; a replacement for `warnings.showwarning`."""
    click.echo(f"Warning: {message}", err=True, file=sys.stderr)
