"""What is shown of a store's URL."""

from __future__ import annotations

import pytest

from fsmvoice.sessions.store_url import without_password


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:s3:cr@t@host:5432/db", "postgresql://ann@host:5432/db"),
        ("postgresql://host/db?user=ann&password=secret", "postgresql://host/db"),
        ("sqlite:///a.db", "sqlite:///a.db"),
        ("memory:", "memory:"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown
