"""`fsmvoice show`: draw a machine."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.output import output_option, write
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import load_target
from fsmvoice.errors import DefinitionError, DrawingFailed, UnknownName
from fsmvoice.exporters.formats import PICTURES

_ENDINGS = {
    ".svg": "svg",
    ".dot": "dot",
    ".gv": "dot",
    **dict.fromkeys(("", ".mmd", ".mermaid", ".md", ".txt"), "mermaid"),
}


@click.command(
    short_help="Draw TARGET as Mermaid text, DOT or SVG.",
    epilog="""\b
Examples:
  fsmvoice show coffee.py
  fsmvoice show coffee.py -o coffee.svg
  fsmvoice show coffee.py --state ordering --format svg > coffee.svg
  fsmvoice show coffee.json --format dot | dot -Tpdf > coffee.pdf
""",
)
@click.argument("target")
@click.option(
    "--format",
    "form",
    type=click.Choice(sorted(PICTURES)),
    help="mermaid: text that GitHub, GitLab and most editors render. dot: text for Graphviz. svg: a picture, drawn by "
    "Graphviz. Defaults to the format of FILE's ending (.svg, .dot or .mmd), or else to mermaid.",
)
@click.option(
    "--state",
    "active",
    multiple=True,
    metavar="STATE",
    help="Highlight a state, given by dotted path, #id, or unambiguous name. May be repeated.",
)
@output_option
@behaviour_option("Not needed for a picture.")
def show(target: str, form: str | None, active: tuple[str, ...], output: Path | None, behaviour: Path | None) -> None:
    """Draw TARGET: its states, nested and parallel, and every transition with its guard, actions and timer."""
    config = load_target(target, behaviour).config
    ending = output.suffix.lower() if output is not None else ""
    if form is None and ending not in _ENDINGS:
        raise click.BadParameter(
            f"{ending} is not a known ending; use .svg, .dot or .mmd, or give --format",
            param_hint="--output",
        )
    try:
        text = PICTURES[form or _ENDINGS[ending]](config, active=active)
    except UnknownName as error:
        raise click.BadParameter(str(error), param_hint="--state") from None
    except (DefinitionError, DrawingFailed) as error:
        hint = " (--format mermaid)" if isinstance(error, DrawingFailed) else ""
        raise Failure(f"{error}{hint}") from None
    write(text, output)
