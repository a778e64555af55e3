"""Where the text that a command made goes: a file, or stdout."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.problem import Failure, shown


def write(text: str, output: Path | None) -> None:
    """Write `text` to a file as UTF-8, or print it as it is.

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
