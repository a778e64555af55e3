"""The socket, and what is said when there is none."""

from __future__ import annotations

import socket

import pytest

from fsmvoice.server.listen import CannotListen, listen


def test_port_0_takes_any_that_is_free() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        assert listening.getsockname()[1] > 0


def test_a_port_in_use_is_reported_with_one_that_is_free() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port} on 127.0.0.1 is in use; try --port \d+") as caught:
            listen("127.0.0.1", port)
    proposed = int(str(caught.value).partition("--port ")[2].partition(",")[0])
    with listen("127.0.0.1", proposed):
        pass


@pytest.mark.parametrize(
    ("host", "port", "told"),
    [
        ("nowhere.invalid", 3100, "there is no host 'nowhere.invalid'"),
        ("203.0.113.1", 3100, "203.0.113.1 is not an address of this computer"),
        ("127.0.0.1", 70000, "there is no port 70000"),
    ],
)
def test_an_address_that_can_not_be(host: str, port: int, told: str) -> None:
    with pytest.raises(CannotListen, match=told):
        listen(host, port)
