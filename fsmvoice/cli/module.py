"""Importing a user's Python file or module, and reporting its errors with their line."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Generator
from pathlib import Path
from types import ModuleType

from fsmvoice.cli.problem import Failure, shown, told, warn, where_raised
from fsmvoice.errors import DefinitionError, FsmVoiceError, did_you_mean

MAX_SHOWN = 80
"""The most characters shown of an invalid path."""


def module_from_file(path: Path) -> ModuleType:
    """Import a Python file. As with `python FILE`, it can import files beside it."""
    path = path.resolve()
    name = path.stem if path.stem.isidentifier() and path.stem not in sys.modules else f"fsmvoice_target_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Failure(f"{shown(path)} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    with _aside():
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            raise _failure(error, path) from None
    return module


def module_named(name: str) -> ModuleType:
    """Import a module by its dotted name, also from the current directory."""
    sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        hint = f"; did you mean {name}.py?" if os.path.exists(f"{name}.py") else ""
        raise Failure(f"no module named {name!r} can be imported from here{hint}")
    file = Path(spec.origin) if spec.origin else Path(name)
    with _aside():
        try:
            return importlib.import_module(name)
        except (Exception, SystemExit) as error:
            raise _failure(error, file) from None


@contextlib.contextmanager
def _aside() -> Generator[None]:
    """Send prints and warnings of a module to stderr, since stdout is the command's output and may be piped."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
        warnings.showwarning = warn
        yield


def _failure(error: BaseException, file: Path) -> Failure:
    if isinstance(error, DefinitionError):
        return Failure(str(error))
    if isinstance(error, SyntaxError):
        place = f"{shown(Path(error.filename or file))}:{error.lineno or 1}"
        line = (error.text or "").rstrip("\n")
        pointed = f"\n    {line.strip()}" if line.strip() else ""
        return Failure(f"{place}: {error.msg}{pointed}")
    place = where_raised(error, file)
    if isinstance(error, SystemExit):
        return Failure(f"{place}: it exits when it is imported; put that under if __name__ == '__main__':")
    if isinstance(error, FsmVoiceError):
        return Failure(f"{place}: {error}")
    return Failure(f"{place}: {told(error)}")


def existing(path: Path) -> Path:
    """`path`, if there is such a file.

    Raises:
        Failure: suggesting the nearest file name.
    """
    try:
        return _existing(path)
    except OSError as error:
        name = str(path) if len(str(path)) <= MAX_SHOWN else f"{str(path)[:MAX_SHOWN]}…"
        raise Failure(f"there is no file {name!r}: {error.strerror}") from None


def _existing(path: Path) -> Path:
    if path.is_dir():
        inside = sorted(file.name for file in path.iterdir() if file.suffix in (".py", ".json"))
        hint = did_you_mean("", inside, otherwise="in it are") if inside else "there is no .py or .json file in it"
        raise Failure(f"{shown(path)} is a directory; {hint}")
    if path.is_file():
        return path
    if path.is_symlink():
        raise Failure(f"{path} is a link to {str(path.readlink())!r}, which does not exist")
    raise Failure(f"there is no file {str(path)!r}{_near(path)}")


def _near(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"; there is no directory {str(folder)!r} either"
    names = [file.name for file in folder.iterdir() if file.suffix in (".py", ".json")]
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {str(folder / close[0])!r}?"
    elsewhere = sorted(Path().glob(f"*/{path.name}"))
    if elsewhere:
        return f"; did you mean {str(elsewhere[0])!r}?"
    return f"; there are {', '.join(sorted(names)[:8])}" if names else ""
