"""`fsmvoice convert`: a machine in another format."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.behaviour import BEHAVIOUR_HELP
from fsmvoice.cli.hearings import HEARINGS, heard_as
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.screens import SCREENS, written
from fsmvoice.cli.target import load_target
from fsmvoice.cli.written import write
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
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write there, not to stdout.",
)
@click.option("--state", metavar="STATE", help="For jsgf: only what can be said in this state, by its dotted path.")
@click.option(
    "--locale", metavar="TAG", help="For alexa, hassil, jsgf and addon: the language; else the machine's own."
)
@click.option(
    "--behaviour",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"{BEHAVIOUR_HELP} Screens ask its guards; nothing else needs any.",
)
def convert(  # noqa: PLR0917 - click passes them by name
    target: str, to: str, output: Path | None, state: str | None, locale: str | None, behaviour: Path | None
) -> None:
    """Write TARGET in another format.

    A machine is written with the names of its functions; the functions themselves stay where they are. What could not
    be read as it was written is said on stderr. What is heard (alexa, hassil, jsgf, addon) needs the extra 'voice'.
    Screens (screen, rjsf) are keyed by state, each with the context that a
    run begins with.
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
