"""`fsmvoice show`: a machine as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.behaviour import BEHAVIOUR_HELP
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.target import load_target
from fsmvoice.cli.written import write
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
    help="mermaid: text that GitHub, GitLab and most editors draw. dot: text for Graphviz. svg: a picture, drawn by "
    "Graphviz where it is installed. By default what FILE ends in, .svg, .dot or .mmd; else mermaid.",
)
@click.option(
    "--state",
    "active",
    multiple=True,
    metavar="STATE",
    help="Light a state up, by its dotted path, its #id, or a name that only one state has. Can be given again.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write there, not to stdout.",
)
@click.option(
    "--behaviour",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"{BEHAVIOUR_HELP} A picture needs none.",
)
def show(target: str, form: str | None, active: tuple[str, ...], output: Path | None, behaviour: Path | None) -> None:
    """Draw TARGET: its states, nested and parallel, and every transition with its guard, actions and timer."""
    config = load_target(target, behaviour).config
    ending = output.suffix.lower() if output is not None else ""
    if form is None and ending not in _ENDINGS:
        raise click.BadParameter(
            f"nothing is drawn as {ending}; it may end in .svg, .dot or .mmd, or --format says what it holds",
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
