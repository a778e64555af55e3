"""Machines that mix everything do what XState does, but for what is known to be a mistake of XState's."""

from __future__ import annotations

import pytest

from tests.oracle import free
from tests.oracle.known import sort_out
from tests.oracle.mixed import written
from tests.oracle.run import Mode

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mode", ["sync", "async", "pure"])
@pytest.mark.parametrize("tame", [False, True])
def test_random_machines_do_the_same_in_xstate(mode: Mode, tame: bool) -> None:
    cases = written(range(300), tame=tame)
    assert len(cases) > 120
    found = sort_out(cases, mode)
    assert found.unexplained == []
    assert len(found.known) < len(cases) / 25


@pytest.mark.parametrize("mode", ["sync", "async", "pure"])
def test_dense_machines_with_more_in_them_do_the_same_in_xstate(mode: Mode) -> None:
    cases = free.written(range(200))
    assert len(cases) > 80
    found = sort_out(cases, mode)
    assert found.unexplained == []
    assert len(found.known) < len(cases) / 25
