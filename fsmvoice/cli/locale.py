"""`fsmvoice locale`: the files in which a machine is translated."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.problem import Failure, shown
from fsmvoice.cli.target import Target, load_target
from fsmvoice.errors import DefinitionError
from fsmvoice.model.chart import Chart
from fsmvoice.model.locale_files import FOLDER, LocaleFile, LocaleFiles, LocaleFolder
from fsmvoice.voice import locales
from fsmvoice.voice.languages import normal
from fsmvoice.voice.phrases.catalogue import doubt_of
from fsmvoice.voice.stub import Stub, Unmergeable, merged_stub, new_stub

_EXAMPLES = """\b
Examples:
  fsmvoice locale add coffee.py de
  fsmvoice locale add coffee.py pt-BR --folder texts
  fsmvoice talk coffee.py --locale de
"""


@click.group(epilog=_EXAMPLES)
def locale() -> None:
    """Translate the texts of a machine."""


@locale.command(epilog=_EXAMPLES)
@click.argument("target")
@click.argument("tag", metavar="LANGUAGE")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder of the file. Defaults to `locales` beside TARGET.",
)
@behaviour_option()
def add(target: str, tag: str, folder: Path | None, behaviour: Path | None) -> None:
    """Write or update a file for translating TARGET.

    The file contains every text of TARGET, to be translated to LANGUAGE, a tag such as de or pt-BR. An existing file
    keeps its translations: missing texts are added, and stale ones are reported.
    """
    language = normal(tag)
    if language is None or language.lower() != tag.replace("_", "-").lower():
        raise Failure(f"{tag!r} is not a language tag; write one such as de, pt-BR or zh-Hant")
    found = load_target(target, behaviour)
    chart, _ = found.chart()
    place = folder or _folder(found, target)
    files = LocaleFiles([LocaleFolder(place, chart.config.id)])
    try:
        file = next((file for file in files.files if normal(file.tag) == language), None)
    except DefinitionError as error:
        raise Failure(f"{error}\nNothing was written") from None
    path = file.path if file is not None else _new_path(place, chart, language)
    try:
        stub = _stub(chart, language, file)
        if file is None and not stub.added:
            click.echo(f"{target} has no texts to translate")
            return
        if file is None or stub.added:
            _write(path, stub.text, new=file is None)
    except Unmergeable as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"can't write {shown(path)}: {error.strerror}") from None
    left = 0 if file is None else len(locales.untranslated(chart, file))
    _tell(path, stub, language, left=left, new=file is None)


def _stub(chart: Chart, language: str, file: LocaleFile | None) -> Stub:
    if file is None:
        return new_stub(chart, language)
    stale = [finding.key for finding in locales.findings_in(chart, file) if finding.kind == "unknown"]
    return merged_stub(chart, file, file.path.read_text("utf-8-sig"), stale)


def _tell(path: Path, stub: Stub, language: str, *, left: int, new: bool) -> None:
    if new:
        click.echo(f"{shown(path)}: {_texts(len(stub.added))} to translate")
    else:
        added = f"{_texts(len(stub.added))} added, " if stub.added else ""
        click.echo(f"{shown(path)}: {added}{_texts(left) + ' to translate' if left else 'complete'}")
    for key in stub.stale:
        click.echo(f"  stale: {locales.shown(key)} is not a text of the machine any more")
    for key in stub.changed:
        click.echo(f"  look again: the original of {locales.shown(key)} has changed")
    doubt = doubt_of(language)
    if doubt:
        click.echo(f"Note: {doubt}", err=True)


def _texts(count: int) -> str:
    return "1 text" if count == 1 else f"{count} texts"


def _folder(found: Target, target: str) -> Path:
    """The folder for the machine's locale files, which may not exist yet."""
    machine: Any = found.machine
    chart: Chart | None = getattr(machine, "chart", None)
    if chart is not None and chart.behaviour.locales is not None:
        return chart.behaviour.locales.folders[0].path
    brought = getattr(machine, "locales", None)
    if isinstance(brought, Path):
        return brought
    raise Failure(f"{target} is a config made in Python, so it needs a folder for its texts: --folder {FOLDER}")


def _new_path(folder: Path, chart: Chart, language: str) -> Path:
    """`locales/de.toml`, or `locales/coffee.de.toml` if another machine uses that."""
    plain = folder / f"{language}.toml"
    if not plain.exists() or not chart.config.id:
        return plain
    return folder / f"{chart.config.id}.{language}.toml"


def _write(path: Path, text: str, *, new: bool) -> None:
    """Write the file atomically. A new file never overwrites an existing one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if new:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return
    path = path.resolve()  # keep a symbolic link, and replace its target
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8", newline="\n")
    os.replace(beside, path)
