"""The `fsmvoice` command."""

from __future__ import annotations

import click

from fsmvoice.cli.check import check
from fsmvoice.cli.convert import convert
from fsmvoice.cli.locale import locale
from fsmvoice.cli.serve import serve
from fsmvoice.cli.sessions import sessions
from fsmvoice.cli.show import show
from fsmvoice.cli.talk import talk
from fsmvoice.cli.why import why
from fsmvoice.server.protocol import own_version


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="""\b
Examples:
  fsmvoice serve examples/coffee.py
  fsmvoice serve examples/coffee.py:Coffee --port 8000 --reload
  fsmvoice show examples/coffee.py
  fsmvoice convert examples/coffee.py --to xstate
  fsmvoice talk examples/coffee.py
  fsmvoice locale add examples/coffee.py de
  fsmvoice check examples/coffee.py --alexa
  fsmvoice why examples/coffee.py CONFIRM --in idle
  fsmvoice sessions list --store sqlite:///sessions.db

\b
TARGET is one of:
  coffee.py           a Python file that defines one machine
  coffee.py:Coffee    a machine in a Python file
  shop.coffee:Coffee  a machine in an importable module
  coffee.json         a config, or an XState machine, as JSON; --behaviour
                      gives its functions

\b
Exit codes: 0 success; 1 a check failed, or an event would not be taken;
2 the command line, the target or its definition is invalid; 3 the server
can't listen on the address.""",
)
@click.version_option(own_version(), message="%(prog)s %(version)s")
def main() -> None:
    """Serve state machines that people can talk to, and test, check and draw them."""


main.add_command(serve)
main.add_command(show)
main.add_command(convert)
main.add_command(locale)
main.add_command(talk)
main.add_command(check)
main.add_command(why)
main.add_command(sessions)

if __name__ == "__main__":
    main(prog_name="fsmvoice")
