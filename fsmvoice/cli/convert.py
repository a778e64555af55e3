"""`fsmvoice convert`: a machine in another format."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import load_target
from fsmvoice.cli.written import write
from fsmvoice.errors import DefinitionError, DrawingFailed
from fsmvoice.exporters.formats import FORMATS


@click.command(
    epilog="""\b
Examples:
  fsmvoice convert coffee.py --to xstate > coffee.json
  fsmvoice convert machine.json --to mermaid -o machine.mmd
""",
)
@click.argument("target")
@click.option("--to", "to", type=click.Choice(sorted(FORMATS)), required=True, help="The format to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write there, not to stdout.",
)
def convert(target: str, to: str, output: Path | None) -> None:
    """Write TARGET in another format.

    A machine is written with the names of its functions; the functions themselves stay where they are. What could not
    be read as it was written is said on stderr.
    """
    config = load_target(target).config
    try:
        text = FORMATS[to](config)
    except (DefinitionError, DrawingFailed) as error:
        raise Failure(str(error)) from None
    write(text, output)
