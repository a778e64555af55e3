"""`fsmvoice serve`, up to the point where it serves."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from fsmvoice.server.listen import listen
from tests.cli.conftest import COFFEE, Run


def test_a_port_in_use_is_one_message_that_names_a_free_one(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "coffee.py", "--port", str(port))
    assert result.exit_code == 3
    assert result.stderr.startswith(f"Error: port {port} on 127.0.0.1 is in use; try --port ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--host", "nowhere.invalid"), 3, "there is no host 'nowhere.invalid'"),
        (("--host", "0.0.0.0"), 3, "--insecure"),
        (("--port", "70000"), 2, "0<=x<=65535"),
        (("--store", "redis://x"), 2, "there is no store 'redis://x'; it should be like memory:, sqlite:///"),
        (("--store", "postgresql://u:secret@127.0.0.1:1/x"), 2, "--store postgresql://u@127.0.0.1:1/x: the database"),
        (("--auth", "issuer=https://a.example"), 2, "audience must be given"),
        (("--auth", "issuer=https://a.example,audience=x,public_key=nowhere.pem"), 2, "'nowhere.pem' can't be read"),
        (("--bare-401",), 2, "needs --auth"),
        (("--stdio", "--auth", "x"), 2, "--auth can't be combined with --stdio: the caller is the user who started it"),
        (("--stateless", "--sessions", "per-client"), 2, "--stateless can't be combined with --sessions per-client"),
        (("--sessions", "own"), 2, "'shared', 'per-client'"),
        (("--reload", "--stdio"), 2, "--reload can't be combined with --stdio"),
        (("--stdio", "--port", "3100"), 2, "--port can't be combined with --stdio: it listens on no address"),
        (("--stdio", "--host", "127.0.0.1"), 2, "--host can't be combined with --stdio"),
        (("--stdio", "--sessions", "shared"), 2, "--sessions can't be combined with --stdio: it has one client"),
        (("--stdio", "--no-ui"), 2, "--ui can't be combined with --stdio: it listens on no address"),
        (("--stdio", "--allowed-host", "x"), 2, "--allowed-host can't be combined with --stdio"),
        (("--allowed-host", ""), 2, "the allowed host '' names no host"),
        (("--prot", "1"), 2, "Did you mean"),
    ],
)
def test_options_that_can_not_be_are_reported(
    folder: Path, run: Run, arguments: tuple[str, ...], code: int, told: str
) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("serve", "coffee.py", *arguments)
    assert result.exit_code == code
    assert told in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("told_by", ["option", "environment"])
def test_a_bridge_that_has_its_store_already_takes_no_other(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, told_by: str
) -> None:
    served = "from fsmvoice import create_fsm_mcp_bridge\n\nbridge = create_fsm_mcp_bridge(Coffee)\n"
    (folder / "coffee.py").write_text(f"{COFFEE}\n{served}")
    if told_by == "environment":
        monkeypatch.setenv("FSMVOICE_STORE", "sqlite:///s.db")
    result = run("serve", "coffee.py", *(("--store", "sqlite:///s.db") if told_by == "option" else ()))
    assert result.exit_code == 2
    assert "create_fsm_mcp_bridge(..., store=...)" in result.stderr
    assert not (folder / "s.db").exists()


def test_keys_of_the_environment_that_can_not_be_are_reported(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    monkeypatch.setenv("FSMVOICE_KEYS", "c2hvcnQ=")
    result = run("serve", "coffee.py", "--host", "nowhere.invalid")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: FSMVOICE_KEYS has 5 bytes, which is too short to be secret;")


def test_two_machines_are_listed_with_the_command_for_each(folder: Path, run: Run) -> None:
    (folder / "two.py").write_text(f"{COFFEE}\nclass Tea(Coffee): pass\n")
    result = run("serve", "two.py")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1:] == ["  fsmvoice serve two.py:Coffee", "  fsmvoice serve two.py:Tea"]


def test_what_the_target_warns_of_is_a_line_of_its_own(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(f"import warnings\nwarnings.warn('careful')\n{COFFEE}")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        result = run("serve", "coffee.py", "--host", "nowhere.invalid")
    assert result.stderr.splitlines()[0] == "Warning: careful"


def test_a_config_without_its_functions_is_told_how_to_give_them(folder: Path, run: Run) -> None:
    (folder / "tea.json").write_text('{"initial": "a", "states": {"a": {"entry": "boil"}}}')
    result = run("serve", "tea.json")
    assert result.exit_code == 2
    assert "Give them with --behaviour FILE" in result.stderr
    assert "event_schemas = {...}" in result.stderr


def test_a_doubt_about_a_config_is_a_line_of_its_own(folder: Path, run: Run) -> None:
    (folder / "tea.json").write_text('{"initial": "a", "states": {"a": {"meta": {"prompt": "Some {tea}."}}}}')
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        result = run("serve", "tea.json", "--host", "nowhere.invalid")
    assert result.stderr.startswith("Warning: the config: $.states.a.meta.prompt: nothing is known to fill the slot")


def test_the_help_says_who_shares_a_conversation_all_the_same(run: Run) -> None:
    assert "with per-client they still share one" in " ".join(run("serve", "--help").stdout.split())
