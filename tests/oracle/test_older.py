"""A machine of version 4 does here what it does in XState 4, if the import has no note that tells otherwise."""

from __future__ import annotations

import pytest

from tests.oracle.older import compared

pytestmark = pytest.mark.slow


def test_random_machines_of_version_4_do_the_same_or_are_said_to_do_otherwise() -> None:
    found = list(compared(range(600)))
    assert len(found) > 200
    assert [item.case["id"] for item in found if item.differs and not item.notes] == []
    assert any(item.differs for item in found if item.notes)
