"""Builds the view: `python -m fsmvoice.screen.build` writes the two documents that are served.

The source is split into modules that a type checker can read; each document is a single file that loads nothing from
the network. A test builds them again and compares.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

VIEW = Path(__file__).with_name("view")
DOCUMENTS = {"app.html": ("view.css", "app.js"), "page.html": ("view.css page.css", "page.js")}
"""The style sheets and the main module of each document."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n", re.MULTILINE | re.DOTALL)
_CAST = re.compile(r"/\*\* @type \{[^*]*\} \*/ ?")
_NAME = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def build(document: str) -> str:
    """The text of a document.

    Raises:
        ValueError: if two of its modules define the same name.
    """
    sheets, module = DOCUMENTS[document]
    css = "".join(_plain(VIEW / sheet) for sheet in sheets.split())
    parts = _in_order(VIEW / module)
    js = "".join(_plain(part) for part in parts)
    names = [name for part in parts for name in _NAME.findall(part.read_text(encoding="utf-8"))]
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        raise ValueError(f"{document}: two modules define {', '.join(double)}; rename one")
    frame = (VIEW / document).read_text(encoding="utf-8")
    return frame.replace("/*css*/", css).replace("/*js*/", js)


def main() -> None:
    """Write the documents beside this file."""
    for document in DOCUMENTS:
        path = Path(__file__).with_name(document)
        path.write_text(build(document), encoding="utf-8")
        sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")


def _in_order(module: Path) -> list[Path]:
    """A module, preceded by all modules that it imports."""
    imported = [module.with_name(name) for name in _IMPORT.findall(module.read_text(encoding="utf-8"))]
    return list(dict.fromkeys([*(inner for part in imported for inner in _in_order(part)), module]))


def _plain(part: Path) -> str:
    """A source file without comments, imports, exports and indentation."""
    text = part.read_text(encoding="utf-8")
    if part.suffix == ".js":
        text = _COMMENT.sub("", _CAST.sub("", _IMPORT.sub("", text)))
        text = re.sub(r"^export (?=async |function|const|let)", "", text, flags=re.MULTILINE)
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


if __name__ == "__main__":
    main()
