"""The output of a command: a file, or stdout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from fsmvoice.cli.problem import Failure, shown

F = TypeVar("F", bound=Callable[..., Any])


def output_option(command: F) -> F:
    """The option --output of a command."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Write to FILE instead of stdout.",
    )(command)


def write(text: str, output: Path | None) -> None:
    """Write `text` to a file as UTF-8, or print it.

    Raises:
        Failure: if the file can't be written.
    """
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"can't write {shown(output)}: {error.strerror}") from None
