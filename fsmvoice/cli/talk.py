"""`fsmvoice talk`: a conversation with a machine: typed, spoken or scripted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import click

from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.conversation import Conversation
from fsmvoice.cli.ears import Ears, recorder, wave_files
from fsmvoice.cli.line_editing import line_editing
from fsmvoice.cli.mouth import mouth
from fsmvoice.cli.problem import Failure, shown
from fsmvoice.cli.talking import Told, converse, typed
from fsmvoice.cli.target import load_target
from fsmvoice.errors import DefinitionError, MissingExtra
from fsmvoice.sessions.memory import MemoryStore


@click.command(
    short_help="Talk to TARGET by typing or speaking.",
    epilog="""\b
Examples:
  fsmvoice talk coffee.py
  fsmvoice talk coffee.py --speak --listen
  fsmvoice talk coffee.py --script morning.txt --json
  fsmvoice talk coffee.py --wav order.wav --wav yes.wav
""",
)
@click.argument("target")
@click.option("--speak", is_flag=True, help="Speak the replies, with piper or espeak-ng.")
@click.option(
    "--listen", "listens", is_flag=True, help="Listen to the microphone. English only; needs the extra 'speech'."
)
@click.option(
    "--wav",
    "waves",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Recognize a recording of one utterance. English only; needs the extra 'speech'. May be repeated.",
)
@click.option(
    "--script",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Read utterances from the lines of a file. Blank lines and lines starting with # are skipped.",
)
@click.option("--locale", metavar="TAG", help="The language of the conversation. Defaults to the machine's own.")
@click.option("--json", "as_json", is_flag=True, help="Print only a line of JSON for each utterance.")
@behaviour_option()
def talk(  # noqa: PLR0917 - click passes options by name
    target: str,
    speak: bool,
    listens: bool,
    waves: tuple[Path, ...],
    script: Path | None,
    locale: str | None,
    as_json: bool,
    behaviour: Path | None,
) -> None:
    """Talk to TARGET. For each utterance it prints the event that was heard, the resulting state, and the reply.

    Ctrl-D ends the conversation.
    """
    if sum((listens, bool(waves), script is not None)) > 1:
        raise click.UsageError("--listen, --wav and --script can't be combined")
    bridge = load_target(target, behaviour).bridge(MemoryStore())
    conversation = Conversation(bridge, locale)
    if not conversation.speaks:
        click.echo(
            f"Note: there are no texts in {locale}, so {bridge.locale} is used (add some with fsmvoice locale add)",
            err=True,
        )
        locale = None
    told = Told(as_json=as_json, say=mouth(locale or bridge.locale) if speak else None)
    try:
        if waves or listens:
            ears = Ears(bridge.chart, locale or bridge.locale)
            heard = (
                wave_files(waves, ears, conversation)
                if waves
                else recorder(ears, conversation, told.ready, speaks=speak)
            )
            asyncio.run(converse(conversation, told, heard))
        elif script is not None:
            asyncio.run(converse(conversation, told, _lines(_read(script))))
        elif sys.stdin.isatty():
            with line_editing():
                typed(conversation, told)
        else:
            asyncio.run(converse(conversation, told, _lines(iter(sys.stdin))))
    except (MissingExtra, DefinitionError) as error:
        raise Failure(str(error)) from None
    except KeyboardInterrupt:
        told.end()


def _read(script: Path) -> Iterator[str]:
    try:
        return iter(script.read_text(encoding="utf-8-sig").splitlines())
    except OSError as error:
        raise Failure(f"can't read {shown(script)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Failure(f"{shown(script)} is not UTF-8: {error.reason} at byte {error.start}") from None


async def _lines(lines: Iterator[str]) -> AsyncIterator[str]:
    for line in lines:
        text = line.strip()
        if text and not text.startswith("#"):
            yield text
