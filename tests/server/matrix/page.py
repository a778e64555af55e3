"""The page of the docs that holds the table."""

from __future__ import annotations

import re

from tests.server.running import ROOT

PAGE = ROOT / "docs" / "compatibility.md"
_PLACE = re.compile(r"(<!-- matrix -->\n).*?(<!-- end of matrix -->)", re.DOTALL)


def table_in_docs() -> str:
    """The table as it stands there."""
    found = _PLACE.search(PAGE.read_text())
    assert found is not None, f"{PAGE} has no place for the table"
    return found.group(0).removeprefix(found.group(1)).removesuffix(found.group(2)).strip() + "\n"


def write(table: str) -> None:
    """Put the table there."""
    PAGE.write_text(_PLACE.sub(lambda found: f"{found.group(1)}\n{table}\n{found.group(2)}", PAGE.read_text()))
