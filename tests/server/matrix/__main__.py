"""`python -m tests.server.matrix`: run the protocol matrix and print its table; `--write` puts it into the docs."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys

from tests.server.matrix.clients import clients
from tests.server.matrix.matrix import KINDS, run_matrix, table
from tests.server.matrix.page import write


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/compatibility.md")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = asyncio.run(run_matrix(clients()))
    wrong = [
        f"{client.name}, {kind.name}: {problem}\n"
        for client, cells in rows
        for kind, cell in zip(KINDS, cells, strict=True)
        if cell is not None
        for problem in cell.wrong
    ]
    sys.stdout.write(table(rows))
    sys.stderr.writelines(wrong)
    if options.write and not wrong:
        write(table(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
