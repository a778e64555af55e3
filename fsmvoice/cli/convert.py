"""`fsmvoice convert`: write a machine in another format."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.hearings import HEARINGS, heard_as
from fsmvoice.cli.output import output_option, write
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.screens import SCREENS, written
from fsmvoice.cli.target import load_target
from fsmvoice.errors import DefinitionError, DrawingFailed, MissingExtra
from fsmvoice.exporters.formats import FORMATS
from fsmvoice.model.context import ContextError


@click.command(
    epilog="""\b
Examples:
  fsmvoice convert coffee.py --to xstate > coffee.json
  fsmvoice convert machine.json --to mermaid -o machine.mmd
  fsmvoice convert coffee.py --to screen | jq .ordering
  fsmvoice convert coffee.py --to alexa -o model.json
  fsmvoice convert coffee.py --to jsgf --state ordering
""",
)
@click.argument("target")
@click.option(
    "--to", "to", type=click.Choice(sorted([*FORMATS, *SCREENS, *HEARINGS])), required=True, help="The format to write."
)
@output_option
@click.option("--state", metavar="STATE", help="For jsgf: include only what can be said in this state (a dotted path).")
@click.option(
    "--locale", metavar="TAG", help="For alexa, hassil, jsgf and addon: the language. Defaults to the machine's own."
)
@behaviour_option("Only screens need it, to call guards.")
def convert(  # noqa: PLR0917 - click passes them by name
    target: str, to: str, output: Path | None, state: str | None, locale: str | None, behaviour: Path | None
) -> None:
    """Write TARGET in another format.

    The output contains the names of the machine's functions, not their code. Notes on what was changed while reading
    TARGET are printed to stderr. The speech formats (alexa, hassil, jsgf, addon) need the extra 'voice'. Screens
    (screen, rjsf) are written for each state, with the machine's start context.
    """
    found = load_target(target, behaviour)
    try:
        if to in HEARINGS:
            text = heard_as(found.bridge().chart, found.machine, to, state=state, locale=locale)
        else:
            text = written(found.bridge().chart, to) if to in SCREENS else FORMATS[to](found.config)
    except (ContextError, DefinitionError, DrawingFailed, MissingExtra) as error:
        raise Failure(str(error)) from None
    write(text, output)
