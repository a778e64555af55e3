"""A proxy between a store and its database that cuts connections at the worst moments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal, TypeAlias
from urllib.parse import parse_qs, urlsplit

Cut: TypeAlias = Literal["none", "request", "reply", "silent"]


class Proxy:
    """Forwards connections to a server's socket.

    Attributes:
        cut: what is to become of the next data: `request`: it does not arrive, and the connection breaks; `reply`: it
            arrives, and the connection breaks before the answer; `silent`: nothing passes, and nobody says so.
        cuts: so many times, then everything passes again.
        direct: the database without this proxy.
        refused: whether new connections are refused.
    """

    def __init__(self, url: str) -> None:
        self.direct = url
        parts = urlsplit(url)
        query = parse_qs(parts.query)
        self._socket = f"{query['host'][0]}/.s.PGSQL.5432"
        self._search_path = query["search_path"][0]
        self.cut: Cut = "none"
        self.cuts = 1
        self.refused = False
        self.port = 0
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres?sslmode=disable&search_path={self._search_path}"

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[Proxy]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = int(server.sockets[0].getsockname()[1])
        try:
            yield self
        finally:
            server.close()
            self.break_all()
            await server.wait_closed()

    def break_all(self) -> None:
        """Break every connection there is."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refused:
            writer.transport.abort()
            return
        there, back = await asyncio.open_unix_connection(self._socket)
        pair = {writer, back}
        self._writers |= pair
        try:
            await asyncio.gather(self._pump(reader, back, pair, "request"), self._pump(there, writer, pair, "reply"))
        finally:
            self._writers -= pair
            for end in pair:
                end.transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: set[asyncio.StreamWriter], kind: str
    ) -> None:
        try:
            while data := await reader.read(65536):
                if self.cut == "silent":
                    continue
                if self.cut == kind and self.cuts:
                    self.cuts -= 1
                    break
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        for end in pair:
            end.transport.abort()
