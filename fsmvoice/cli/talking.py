"""Running a conversation until it ends, and showing it."""

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
"""Seconds between checks whether a timer is due."""
_HELP = """\
Type what you would say. These commands are not sent to the machine:
  :state  print the state, the context, and the possible events
  :help   print this help
  :quit   end the conversation, like Ctrl-D"""


class Told:
    """Prints a conversation as text or JSON, and speaks it with `say`, if given."""

    def __init__(self, *, as_json: bool, say: Callable[[str], None] | None) -> None:
        self._as_json, self._say = as_json, say

    def said(self, text: str) -> None:
        """Print and speak a reply."""
        if not self._as_json and text:
            click.secho(text, bold=True)
        if self._say is not None and text:
            self._say(text)

    def turn(self, turn: Turn, *, echo: bool = True) -> None:
        """Print an utterance (with `echo`) and its result."""
        if self._as_json:
            click.echo(json.dumps(turn.to_dict(), ensure_ascii=False))
        else:
            if echo:
                click.echo(f"> {turn.heard}")
            click.secho(f"  {_did(turn)}", dim=True)
        self.said(turn.say)

    def note(self, text: str) -> None:
        """Print a note that is not spoken."""
        if not self._as_json:
            click.secho(text, dim=True)

    def ready(self) -> None:
        """Print that the microphone is open."""
        if not self._as_json:
            click.secho("(listening; Ctrl-C stops)", dim=True, err=True)

    def end(self) -> None:
        """Print the last line."""
        if not self._as_json:
            click.echo()


async def converse(conversation: Conversation, told: Told, heard: AsyncIterator[str]) -> None:
    """Say the status, then answer each utterance in `heard`."""
    try:
        told.said(await conversation.status())
        async for text in heard:
            told.turn(await conversation.hear(text))
    finally:
        await conversation.aclose()


def typed(conversation: Conversation, told: Told) -> None:
    """A conversation at the keyboard. When a timer fires meanwhile, its reply is printed at once."""
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
    """An event loop in a thread of its own, so that `input` in the main thread handles Ctrl-C and Ctrl-D."""

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
        """Run `work` on the loop and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
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
