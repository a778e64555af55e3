"""`fsmvoice sessions`: inspect the sessions in a store."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from fsmvoice.cli.behaviour import behaviour_option
from fsmvoice.cli.problem import Failure
from fsmvoice.cli.stored import found, look_at, with_store
from fsmvoice.cli.target import load_target
from fsmvoice.errors import RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.versions import load_run_state
from fsmvoice.sessions.open_store import Look
from fsmvoice.sessions.store import PastEvent, SessionInfo, SessionStore

F = TypeVar("F", bound=Callable[..., Any])

HIDDEN = "(hidden)"
SHORT = 16
"""The number of characters of a key that are shown."""


@click.group(
    epilog="""\b
Examples:
  fsmvoice sessions list --store sqlite:///sessions.db
  fsmvoice sessions show 12d7c79b --store sqlite:///sessions.db --machine coffee.py
  fsmvoice sessions history 12d7c79b --store postgresql://voice@db/voice --json
  fsmvoice sessions end 12d7c79b --store sqlite:///sessions.db

\b
A session's key is a hash of its owner; the first characters are enough.""",
)
def sessions() -> None:
    """Inspect the conversations in a store, and end them."""


def _options(command: F) -> F:
    store = click.option(
        "--store",
        "url",
        required=True,
        metavar="URL",
        envvar="FSMVOICE_STORE",
        show_envvar=True,
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE.",
    )
    return store(click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command))


@sessions.command(
    "list",
    epilog="""\b
Examples:
  fsmvoice sessions list --store sqlite:///sessions.db
  fsmvoice sessions list --store sqlite:///sessions.db --json | jq '.sessions[].session'
""",
)
@_options
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="The most to list.")
@click.option(
    "--after", default="", metavar="KEY", help="List the sessions after this key, the last one already listed."
)
def list_sessions(url: str, as_json: bool, limit: int, after: str) -> None:
    """List the sessions that have not expired, in order of their keys."""

    async def work(store: Look) -> tuple[Sequence[SessionInfo], list[Any]]:
        found = await store.list(limit=limit + 1, after=after)
        return found, [_states(await _document(store, info)) for info in found[:limit]]

    there, states = look_at(url, work)
    page, more = there[:limit], len(there) > limit
    if as_json:
        listed = [{**_info(info), "states": stands} for info, stands in zip(page, states, strict=True)]
        _print({"sessions": listed, "after": page[-1].key if more else None})
        return
    if not page:
        click.echo("There are no sessions." if not after else "There are no more sessions.")
        return
    lines = [("session", "machine", "states", "revision", "changed", "expires", "waits for")]
    lines += [
        (
            info.key[:SHORT],
            _line(info.machine),
            _line(", ".join(stands)),
            str(info.revision),
            _time(info.changed),
            _time(info.expires),
            _waits(info),
        )
        for info, stands in zip(page, states, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip())
    if more:
        click.echo(f"There are more: --after {page[-1].key}")


@sessions.command(
    epilog="""\b
Examples:
  fsmvoice sessions show 12d7c79b --store sqlite:///sessions.db
  fsmvoice sessions show 12d7c79b --store sqlite:///sessions.db --machine coffee.py
""",
)
@click.argument("session", metavar="KEY")
@_options
@click.option(
    "--machine", metavar="TARGET", help="The machine, needed to show the context fields that are not Private."
)
@click.option("--private", is_flag=True, help="Show all fields, including Private ones.")
@behaviour_option()
def show(  # noqa: PLR0917 - click passes options by name
    session: str, url: str, as_json: bool, machine: str | None, private: bool, behaviour: Path | None
) -> None:
    """Show the state of a session.

    Which fields of the context are Private is known only from the machine, so without --machine all values are hidden.
    """
    chart = None if machine is None else load_target(machine, behaviour).bridge().chart

    async def work(store: Look) -> tuple[SessionInfo, Any]:
        info = await found(store, session)
        return info, await _document(store, info)

    info, document = look_at(url, work)
    if document is None:
        raise Failure(f"the session {info.key[:SHORT]} has just ended")
    told: dict[str, Any] = {
        **_info(info),
        "version": document.get("version"),
        "states": document.get("states"),
        "context": document.get("context") if private else _shown(document, chart),
        "timers": document.get("timers"),
        "services": [service.get("id") for service in document.get("services") or ()],
        "status": document.get("status"),
    }
    if as_json:
        _print(told)
        return
    for name, value in told.items():
        if name == "context":
            fields: dict[str, Any] = value or {}
            click.echo("context:")
            for field, content in fields.items():
                click.echo(_line(f"  {field}: {content if content == HIDDEN else _compact(content)}"))
        elif value not in (None, [], ""):
            click.echo(_line(f"{name}: {value if isinstance(value, str) else _compact(value)}"))


@sessions.command(
    epilog="""\b
Examples:
  fsmvoice sessions history 12d7c79b --store sqlite:///sessions.db
  fsmvoice sessions history 12d7c79b --store sqlite:///sessions.db --limit 5 --private
""",
)
@click.argument("session", metavar="KEY")
@_options
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="The number of events to print."
)
@click.option("--private", is_flag=True, help="Also print replies and, if they are stored, arguments.")
def history(session: str, url: str, as_json: bool, limit: int, private: bool) -> None:
    """Print the last events of a session, oldest first."""

    async def work(store: Look) -> Sequence[PastEvent]:
        return await store.history((await found(store, session)).key, limit=limit)

    events = [_event(past, private=private) for past in look_at(url, work)]
    if as_json:
        _print(events)
        return
    if len(events) == limit and events[0]["seq"]:
        click.echo(f"{'...':>6}  Earlier events are not shown: --limit {min(limit * 10, 100_000)}")
    for event in events:
        click.echo(_line(f"{event['seq']:>6}  {event['time']}  {event['event']}: {_state(event)}"))
        for name in ("say", "arguments"):
            if event.get(name):
                click.echo(_line(f"{'':>8}{name}: {event[name]}"))


@sessions.command(
    epilog="""\b
Examples:
  fsmvoice sessions end 12d7c79b --store sqlite:///sessions.db
  fsmvoice sessions end 12d7c79b --store sqlite:///sessions.db --yes
""",
)
@click.argument("session", metavar="KEY")
@_options
@click.option("--yes", is_flag=True, help="Don't ask for confirmation.")
def end(session: str, url: str, as_json: bool, yes: bool) -> None:
    """Delete a session and its history. The caller's next call starts a new one."""

    async def look(store: Look) -> SessionInfo:
        return await found(store, session)

    async def delete(store: SessionStore) -> bool:
        return await store.delete(info.key)

    info = look_at(url, look)
    if not yes:
        click.confirm(
            f"End {info.key[:SHORT]} of {info.machine or 'a machine'}, with its history?", abort=True, err=True
        )
    ended = with_store(url, delete)
    if as_json:
        _print({"session": info.key, "ended": ended})
    else:
        click.echo(f"Ended {info.key}." if ended else "It has already ended.")


def _states(document: Any) -> list[str]:
    return [] if document is None else list(document.get("states") or ())


async def _document(store: Look, info: SessionInfo) -> Any:
    stored = await store.load(info.key)
    try:
        return None if stored is None else json.loads(stored.document or "null")
    except ValueError:
        return {"states": ["(damaged)"]}


def _shown(document: Any, chart: Chart | None) -> Any:
    """The context without the values of Private fields; without any values if the machine is not known."""
    context: dict[str, Any] = document.get("context") or {}
    hidden = dict.fromkeys(context, HIDDEN)
    if chart is None:
        return hidden
    try:
        state = load_run_state(chart, document)
    except RestoreError as error:
        raise Failure(
            f"{chart.name} can't read the session to find its Private fields: {error}\nShow it without --machine"
        ) from None
    return {**hidden, **chart.behaviour.context.dump(state.context, private=False)}


def _info(info: SessionInfo) -> dict[str, Any]:
    return {
        "session": info.key,
        "machine": info.machine,
        "revision": info.revision,
        "created": _time(info.created),
        "changed": _time(info.changed),
        "expires": _time(info.expires),
        "caller": info.caller,
        "due": None if info.wake_at is None else _time(max(info.wake_at, info.changed)),
        "effects_waiting": info.outgoing,
        "effects_given_up": info.dead,
    }


def _event(past: PastEvent, *, private: bool) -> dict[str, Any]:
    event = past.event
    told = {
        "seq": event.seq,
        "time": _time(past.at),
        "event": event.name,
        "from": event.source,
        "to": event.target,
        "request_id": event.request_id,
        "caller": event.principal,
        "version": event.version,
        "arguments_hash": event.arguments,
    }
    return {**told, "say": past.say, "arguments": event.audit} if private else told


def _waits(info: SessionInfo) -> str:
    due = info.wake_at is not None and info.wake_at <= datetime.now(UTC).timestamp() * 1000
    parts = [] if info.wake_at is None else ["overdue" if due else _time(info.wake_at)]
    parts += [_effects(info.outgoing)] if info.outgoing else []
    parts += [f"{_effects(info.dead)} given up"] if info.dead else []
    return ", ".join(parts)


def _effects(count: int) -> str:
    return f"{count} effect{'' if count == 1 else 's'}"


def _state(event: dict[str, Any]) -> str:
    before, after = ("" if value is None else _plain(value) for value in (event["from"], event["to"]))
    return after if not before or before == after else f"{before} -> {after}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _line(text: str) -> str:
    """A text in a line of a terminal: what would move the cursor or turn the direction is escaped."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def _time(milliseconds: float) -> str:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return "never"


def _print(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # half a character, or a terminal that has few
        text = json.dumps(value, indent=2)
    click.echo(text)
