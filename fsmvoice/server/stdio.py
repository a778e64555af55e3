"""Serves a bridge over standard input and output, for hosts that start their servers themselves."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from types import TracebackType

import anyio
from mcp.server.stdio import stdio_server

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server.protocol import mcp_server


def serve_stdio(bridge: FsmMcpBridge, *, close_store: bool = False) -> None:
    """Serve until the host closes standard input or a signal arrives. Other output to stdout goes to stderr."""
    anyio.run(_serve, bridge, close_store)


async def _serve(bridge: FsmMcpBridge, close_store: bool) -> None:
    await bridge.begin()
    try:
        await _answer(bridge)
    finally:
        await bridge.aclose()
        if close_store:
            await bridge.store.aclose()


async def _answer(bridge: FsmMcpBridge) -> None:
    server = mcp_server(bridge)
    with _Input() as given:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not supported on Windows, nor outside the main thread.
            with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(number, given.end)
        with os.fdopen(given.reading, encoding="utf-8", errors="replace") as text:
            async with stdio_server(stdin=anyio.wrap_file(text)) as (read, write):
                # What the machine's code prints would be buffered and end up in the protocol stream on exit.
                with contextlib.redirect_stdout(sys.stderr):
                    await server.run(read, write, server.create_initialization_options())


class _Input:
    """Standard input that can be ended from this side, although a blocking read of it can't be cancelled.

    A daemon thread copies it into a pipe. Meanwhile file descriptor 0 is empty, so that no child process reads it.
    """

    def __init__(self) -> None:
        self.reading, self._writing = os.pipe()
        self._ended = False
        self._lock = threading.Lock()

    def __enter__(self) -> _Input:
        self._host = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        threading.Thread(target=self._copy, daemon=True, name="fsmvoice-stdin").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()
        os.dup2(self._host, 0)

    def end(self) -> None:
        """End the reader's input."""
        # The lock may be held by a write that waits for the reader, which waits for the loop that calls this.
        locked = self._lock.acquire(timeout=1)
        try:
            if not self._ended:
                self._ended = True
                os.close(self._writing)
        finally:
            if locked:
                self._lock.release()

    def _copy(self) -> None:
        while chunk := self._read():
            with self._lock, contextlib.suppress(OSError):
                if self._ended:
                    return
                os.write(self._writing, chunk)
        self.end()

    def _read(self) -> bytes:
        try:
            return os.read(self._host, 65536)
        except OSError:
            return b""
