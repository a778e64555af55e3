"""`python -m tests.oracle FILE.jsonl[.gz] [--definitions FILE] [--dump OUT.jsonl] [--mode sync|async|pure]`."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from tests.oracle.compare import Difference, first_difference
from tests.oracle.definitions import run_definitions
from tests.oracle.run import Mode, Record, run_case


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file, gzipped or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    yield from (json.loads(line) for line in text.splitlines() if line.strip())


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracle", description="Run recorded XState cases on fsmvoice."
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--definitions", type=Path, help="run these definitions in place of the cases' own machines")
    parser.add_argument("--dump", type=Path, help="write what our engine did, in the recorded format")
    parser.add_argument("--mode", choices=("sync", "async", "pure"), default="sync")
    options = parser.parse_args()
    dump = options.dump.open("w", encoding="utf-8") if options.dump else None
    if options.definitions:
        return _definitions(options.file, options.definitions, options.mode, dump)
    cases = steps = equal = can_equal = 0
    kinds: dict[tuple[str, str], Difference] = {}
    for case in lines(options.file):
        cases, steps = cases + 1, steps + len(case["steps"])
        try:
            ours = run_case(case, options.mode)
        except Exception:  # noqa: BLE001, RUF100 - a case that breaks is a difference, and the others go on
            difference: Difference | None = Difference(case["id"], "error", 0, None, traceback.format_exc(), None, None)
        else:
            difference = first_difference(case, ours)
            can_equal += all(a.get("can") == b["can"] for a, b in zip(case["steps"], ours, strict=True))
            if dump is not None:
                dump.write(json.dumps({"id": case["id"], "steps": ours}) + "\n")
        if difference is None:
            equal += 1
        else:
            kinds.setdefault((case.get("family", ""), difference.key), difference)
    if dump is not None:
        dump.close()
    out = sys.stdout.write
    for (family, _), found in kinds.items():
        out(_told(family, found))
    out(f"(what an event could do without a payload, for information: {can_equal} cases equal)\n")
    out(f"{cases} cases, {steps} steps: {equal} cases equal\n")
    return 0 if equal == cases else 1


def _told(family: str, found: Difference) -> str:
    shown = found.ours if found.key == "error" else json.dumps(found.ours)
    place = f"{found.key} differs in {found.case}, step {found.step}, at {found.event} in {found.before}"
    return f"{family}: {place}\n  XState: {json.dumps(found.theirs)}\n  ours:   {shown}\n"


def _definitions(cases: Path, definitions: Path, mode: Mode, dump: IO[str] | None) -> int:
    """Run the definitions; only one that says all of its machine can be held to be equal."""
    by_id = {item["id"]: item["definition"] for item in lines(definitions)}
    done: dict[str, list[Record]] = {}
    tally = run_definitions(lines(cases), by_id, mode, done)
    if dump is not None:
        dump.writelines(json.dumps({"id": name, "steps": ours}) + "\n" for name, ours in done.items())
        dump.close()
    for found in tally.differences:
        sys.stdout.write(_told("definition", found))
    sys.stdout.write(f"{tally}\n")
    return 0 if tally.good else 1


if __name__ == "__main__":
    sys.exit(main())
