"""Class definitions that fail, and what they say."""

from __future__ import annotations

import linecache
from collections.abc import Callable

import pytest

from fsmvoice.errors import DefinitionError, Problem


def problems_in(define: Callable[[], object]) -> list[Problem]:
    """The problems of the class that `define` makes."""
    with pytest.raises(DefinitionError) as caught:
        define()
    return list(caught.value.problems)


def the_problem(define: Callable[[], object]) -> str:
    """The only problem of the class that `define` makes: its message and hint."""
    (problem,) = problems_in(define)
    return f"{problem.message}; {problem.hint}" if problem.hint else problem.message


def source_line(problem: Problem) -> str:
    """The line of source that a problem names."""
    file, _, line = problem.where.rpartition(":")
    return linecache.getline(file, int(line)).strip()
