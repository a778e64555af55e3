"""Machines that people wrote for XState: each is checked in bounded time, and none of their code is there to run."""

import time
from collections import Counter

import pytest

from fsmvoice.check import check
from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.imported import Imported
from tests.oracle.corpus import corpus

SECONDS = 30.0
"""For one machine; the largest takes about three."""


def importable() -> list[tuple[str, Imported]]:
    found: list[tuple[str, Imported]] = []
    for file in corpus():
        try:
            found.append((file.name, from_xstate(file.document, version=4 if file.version == 4 else 5)))
        except DefinitionError:
            continue
    return found


@pytest.mark.slow
def test_every_machine_that_can_be_read_can_be_checked() -> None:
    counts: Counter[str] = Counter()
    machines = importable()
    for name, machine in machines:
        begun = time.monotonic()
        found = check(machine, alexa=True)
        assert time.monotonic() - begun < SECONDS, name
        assert all(finding.message and finding.right and finding.where for finding in found.findings), name
        counts.update(finding.rule for finding in found.findings)
    assert len(machines) >= 130
    assert counts["V01"] > 100  # they were not written to be spoken
    assert counts["C01"] == counts["C02"] == 0
