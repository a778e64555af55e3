"""`fsmvoice show`: a machine as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from fsmvoice.cli.behaviour import BEHAVIOUR_HELP
from fsmvoice.cli.target import load_target
from fsmvoice.exporters.mermaid import to_mermaid


@click.command(
    epilog="""\b
Examples:
  fsmvoice show coffee.py
  fsmvoice show coffee.json > coffee.mmd
  fsmvoice show coffee.py --state ordering
""",
)
@click.argument("target")
@click.option("--state", "active", multiple=True, metavar="STATE", help="Light a state up, by its dotted path.")
@click.option(
    "--behaviour",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=f"{BEHAVIOUR_HELP} A picture needs none.",
)
def show(target: str, active: tuple[str, ...], behaviour: Path | None) -> None:
    """Print TARGET as a Mermaid diagram.

    GitHub, GitLab and most editors draw it.
    """
    config = load_target(target, behaviour).config
    try:
        click.echo(to_mermaid(config, active=active), nl=False)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--state") from None
