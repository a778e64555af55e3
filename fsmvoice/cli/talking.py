"""What is shown and said of a conversation, and how it goes on until it ends."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import click

from fsmvoice.cli.conversation import Conversation, Turn

T = TypeVar("T")
PATIENCE = 0.25
"""Seconds between looks at whether a timer has something to say."""
_HELP = """\
Say anything. These are for you, and not said to the machine:
  :state  where it stands, and what is possible
  :help   this
  :quit   stop, as Ctrl-D does"""


class Told:
    """Shows a conversation, as text or as JSON, and says it aloud if `say` can."""

    def __init__(self, *, as_json: bool, say: Callable[[str], None] | None) -> None:
        self._as_json, self._say = as_json, say

    def said(self, text: str) -> None:
        """What the machine says."""
        if not self._as_json and text:
            click.secho(text, bold=True)
        if self._say is not None and text:
            self._say(text)

    def turn(self, turn: Turn, *, echo: bool = True) -> None:
        """One utterance, and what came of it. `echo`: say what was heard, too."""
        if self._as_json:
            click.echo(json.dumps(turn.to_dict(), ensure_ascii=False))
        else:
            if echo:
                click.echo(f"> {turn.heard}")
            click.secho(f"  {_did(turn)}", dim=True)
        self.said(turn.say)

    def note(self, text: str) -> None:
        """Something for the one who types, and not for the ear."""
        if not self._as_json:
            click.secho(text, dim=True)

    def ready(self) -> None:
        """The microphone is open."""
        if not self._as_json:
            click.secho("(listening; Ctrl-C stops)", dim=True, err=True)

    def end(self) -> None:
        """The last line."""
        if not self._as_json:
            click.echo()


async def converse(conversation: Conversation, told: Told, heard: AsyncIterator[str]) -> None:
    """Greet, and answer what is heard until nothing more is."""
    try:
        told.said(await conversation.status())
        async for text in heard:
            told.turn(await conversation.hear(text))
    finally:
        await conversation.aclose()


def typed(conversation: Conversation, told: Told) -> None:
    """A conversation at the keyboard. What a timer does while nobody types is said when it does it."""
    with _Loop() as loop:
        told.said(loop.run(conversation.status()))
        told.note(":help for help, Ctrl-D to stop")
        loop.start(_watch(conversation, told))
        try:
            _at_the_keyboard(conversation, told, loop)
        finally:
            loop.run(conversation.aclose())


def _at_the_keyboard(conversation: Conversation, told: Told, loop: _Loop) -> None:
    while True:
        try:
            text = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            told.end()
            return
        if text in (":quit", ":q"):
            return
        if text == ":state":
            told.note(loop.run(_stand(conversation)))
        elif text.startswith(":"):
            told.note(_HELP)
        elif text:
            told.turn(loop.run(conversation.hear(text)), echo=False)


class _Loop:
    """An event loop in a thread of its own, so that Ctrl-C and Ctrl-D reach the one who types at once."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> _Loop:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._ended())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Have `work` done there, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Have `work` done meanwhile."""
        self.run(self._starting(work))

    async def _starting(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = self._loop.create_task(work)

    async def _ended(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _watch(conversation: Conversation, told: Told) -> None:
    while True:
        await asyncio.sleep(PATIENCE)
        snapshot = await conversation.snapshot()
        due = min((timer.due for timer in snapshot.run_state.timers), default=None)
        if due is not None and due <= time.time() * 1000:
            click.echo()
            told.said(await conversation.status())


async def _stand(conversation: Conversation) -> str:
    state = (await conversation.snapshot()).to_dict()
    blocked = [f"{it['event']} ({it['say']})" for it in state["blockedEvents"]]
    lines = [
        f"state: {_place(state['value'])}",
        f"context: {json.dumps(state['context'], ensure_ascii=False)}",
        f"possible: {', '.join(state['availableEvents']) or 'nothing'}",
    ]
    return "\n".join([*lines, f"blocked: {', '.join(blocked)}"] if blocked else lines)


def _did(turn: Turn) -> str:
    if turn.event is None:
        return f"{turn.reason}: {', '.join(turn.candidates)}" if turn.candidates else str(turn.reason)
    values = ", ".join(f"{name}={value}" for name, value in turn.payload.items())
    event = f"{turn.event} {values}".strip()
    return f"{event} -> {_place(turn.state)}" if turn.ok else f"{event}: {turn.reason}"


def _place(state: object) -> str:
    return state if isinstance(state, str) else json.dumps(state)
