"""The mutants are of the code as it stands: whoever changes what they take out is told at once."""

from __future__ import annotations

import pytest

from tests.faults.mutants import ELSEWHERE, MUTANTS, PACKAGE


@pytest.mark.parametrize("name", [*MUTANTS, *ELSEWHERE])
def test_each_mutant_is_of_the_code_as_it_stands(name: str) -> None:
    for change in {**MUTANTS, **ELSEWHERE}[name]:
        text = (PACKAGE / change.file).read_text()
        assert text.count(change.old) == 1, f"{change.file} has {change.old!r} {text.count(change.old)} times"
