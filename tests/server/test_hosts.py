"""Which hosts a server answers to."""

from __future__ import annotations

import pytest

from fsmvoice.server.hosts import Hosts, is_loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:3100", "localhost:1", "LocalHost:1", "[::1]:3100"])
def test_this_computers_own_names_are_always_allowed(host: str) -> None:
    assert Hosts().allows_host(host)
    assert Hosts().allows_origin(f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "127.0.0.1.evil.example:80",
        "127.0.0.1:80.evil.example",
        "127.0.0.1:80@evil.example",
        "localhost:",
        "localhost:port",
        "localhost:\u0663",
        "localhostevil",
        "192.168.0.1:3100",
    ],
)
def test_others_are_not(host: str) -> None:
    assert not Hosts().allows_host(host)
    assert not host or not Hosts().allows_origin(f"http://{host}")


@pytest.mark.parametrize("given", ["voice.example.com", "https://Voice.example.com/mcp", " voice.example.com "])
def test_a_name_is_allowed_however_it_is_written(given: str) -> None:
    hosts = Hosts([given])
    assert hosts.allows_host("voice.example.com")
    assert hosts.allows_host("voice.example.com:8443")
    assert hosts.allows_origin("https://voice.example.com")
    assert not hosts.allows_host("voice.example.com.evil.example")


def test_a_name_with_a_port_is_allowed_with_that_port() -> None:
    hosts = Hosts(["voice.example.com:8443"])
    assert hosts.allows_host("voice.example.com:8443")
    assert not hosts.allows_host("voice.example.com:80")


def test_a_star_leaves_the_check_to_others() -> None:
    assert Hosts(["*"]).allows_host("anything")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.1", False),
        ("example.com", False),
    ],
)
def test_what_only_this_computer_reaches(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize("given", ["", "  ", "https://", "/mcp"])
def test_a_name_that_names_nothing_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="names no host; give a name such as"):
        Hosts([given])
