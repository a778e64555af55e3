"""A client of bare JSON-RPC messages over HTTP, as hosts that are not built on an SDK send them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from tests.server.matrix.conversation import Heard, Op

MODERN = "2026-07-28"
ALEXA = "2025-03-26"


async def converse(url: str, version: str, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
    """The version that was agreed on, and what was heard."""
    async with httpx2.AsyncClient(timeout=30) as http:
        return await converse_over(http, url, version, ops)


async def converse_over(http: httpx2.AsyncClient, url: str, version: str, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
    """As `converse`, with connections that others use too."""
    client = _Raw(http, url, version)
    if version != MODERN:
        await client.initialize()
    heard: list[Heard] = []
    for op in ops:
        if op["do"] == "list":
            listed = await client.request("tools/list", {})
            heard.append({"tools": [tool["name"] for tool in listed["tools"]]})
        elif op["do"] == "read":
            read = await client.request("resources/read", {"uri": op.get("name", "")})
            heard.append({"state": json.loads(read["contents"][0]["text"])})
        else:
            params: dict[str, Any] = {"name": op.get("name", ""), "_meta": dict(op.get("meta", {}))}
            if op.get("arguments"):
                params["arguments"] = op.get("arguments")
            told = await client.request("tools/call", params)
            (content,) = told["content"]
            facts = {} if "structuredContent" not in told else {"structured": told["structuredContent"]}
            heard.append({"text": content["text"], "isError": told.get("isError", False), **facts})
    await client.leave()
    return client.version, heard


class _Raw:
    def __init__(self, http: httpx2.AsyncClient, url: str, version: str) -> None:
        self._http, self._url, self.version = http, url, version
        self._headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        self._number = 0

    async def initialize(self) -> None:
        """Alexa+'s documented request says 2025-03-26 and declares nothing but `roots`."""
        told = {"roots": {"listChanged": True}} if self.version == ALEXA else {}
        about = {"name": "matrix", "version": "1"}
        params = {"protocolVersion": self.version, "capabilities": told, "clientInfo": about}
        agreed = await self.request("initialize", params)
        self.version = str(agreed["protocolVersion"])
        if self.version != ALEXA:
            self._headers["mcp-protocol-version"] = self.version
        message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        answer = await self._http.post(self._url, json=message, headers=self._headers)
        assert answer.status_code == 202, answer.text

    async def leave(self) -> None:
        """End the protocol's session, where there is one."""
        if "mcp-session-id" in self._headers:
            answer = await self._http.delete(self._url, headers=self._headers)
            assert answer.status_code in (200, 204), answer.text

    async def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result."""
        self._number += 1
        headers = dict(self._headers)
        sent = dict(params)
        if self.version == MODERN:
            headers |= {"mcp-protocol-version": MODERN, "mcp-method": method}
            named = sent.get("name") or sent.get("uri")
            if named:
                headers["mcp-name"] = str(named)
            sent["_meta"] = {
                **sent.get("_meta", {}),
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": {"name": "matrix", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": sent}
        answer = await self._http.post(self._url, json=message, headers=headers)
        if session := answer.headers.get("mcp-session-id"):
            self._headers["mcp-session-id"] = session
        told = _message(answer)
        if "result" not in told:
            raise AssertionError(f"{method}: {answer.status_code} {told}")
        result: dict[str, Any] = told["result"]
        return result


def _message(answer: httpx2.Response) -> dict[str, Any]:
    if answer.headers.get("content-type", "").startswith("text/event-stream"):
        data = [line.removeprefix("data:").strip() for line in answer.text.splitlines() if line.startswith("data:")]
        messages: list[dict[str, Any]] = [json.loads(item) for item in data if item]
        return next(message for message in messages if "id" in message)
    found: dict[str, Any] = answer.json()
    return found
