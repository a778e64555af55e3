"""What is told of calls: names, times and codes. Nothing that anybody said, stored or signed in with."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from pathlib import Path
from typing import Annotated, Any

import httpx2
import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import BaseModel

from fsmvoice import (
    CallContext,
    Limits,
    Private,
    Refuse,
    State,
    VoiceMachine,
    create_fsm_mcp_bridge,
    open_store,
    spoken,
    transition,
)
from fsmvoice.server import OAuth, asgi
from fsmvoice.server.logs import JsonLines
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.store import Commit, Committed, StoreUnavailable
from fsmvoice.sessions.telemetry import Telemetry, telemetry
from tests.bridge.machines import Coffee
from tests.server.issuing import AUDIENCE, Issuer
from tests.server.running import running

CANARY = "canary-7f3a"


class Watched:
    """The SDK's providers, for what a test does."""

    def __init__(self) -> None:
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        tracers = TracerProvider()
        tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        telemetry.look(tracers, MeterProvider([self.reader]))

    def spans(self, name: str) -> list[dict[str, Any]]:
        return [dict(span.attributes or {}) for span in self.exporter.get_finished_spans() if span.name == name]

    def points(self, name: str) -> list[Any]:
        data = self.reader.get_metrics_data()
        assert data is not None
        metrics = [metric for scope in data.resource_metrics[0].scope_metrics for metric in scope.metrics]
        return [point for metric in metrics if metric.name == name for point in metric.data.data_points]

    def told(self, caplog: pytest.LogCaptureFixture) -> list[str]:
        """All of it, as texts."""
        records = [JsonLines().format(record) for record in caplog.records if record.name == "fsmvoice"]
        spans = [span.to_json() for span in self.exporter.get_finished_spans()]
        return [*records, *spans, str(self.reader.get_metrics_data())]


@pytest.fixture
def watched() -> Generator[Watched]:
    yield (watched := Watched())
    watched.exporter.shutdown()
    telemetry.on = False


@pytest.fixture(autouse=True)
def _looked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The providers of a process are set once; a test's are not found by looking."""
    look = Telemetry.look

    def look_only_at_what_is_given(self: Telemetry, *given: Any) -> None:
        if given:
            look(self, *given)

    monkeypatch.setattr(Telemetry, "look", look_only_at_what_is_given)


async def test_a_call_is_a_span_with_what_became_of_it(watched: Watched) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    await bridge.call("coffee_order", {"drink": "latte"})
    await bridge.call("coffee_order", {"drink": "latte"})

    (done, refused) = watched.spans("turn ORDER")
    session = done.pop("fsmvoice.session")
    assert len(session) == 16
    assert done == {
        "fsmvoice.machine": "coffee",
        "fsmvoice.event": "ORDER",
        "fsmvoice.from": "idle",
        "fsmvoice.to": "ordering",
        "fsmvoice.changed": True,
        "fsmvoice.replayed": False,
        "fsmvoice.revision": 1,
    }
    assert refused["fsmvoice.reason"] == "no-transition"
    assert refused["fsmvoice.session"] == session
    assert len(watched.spans("store commit")) == 2


async def test_calls_transitions_and_the_store_are_measured(watched: Watched) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    await bridge.call("coffee_order", {"drink": "latte"})
    await bridge.call("coffee_order", {"drink": "latte"})

    durations = {point.attributes["reason"]: point.count for point in watched.points("fsmvoice.turn.duration")}
    assert durations == {"": 1, "no-transition": 1}
    moved = [dict(point.attributes) for point in watched.points("fsmvoice.transitions")]
    assert {"machine": "coffee", "event": "ORDER", "from": "idle", "to": "ordering"} in moved
    stored = [dict(point.attributes) for point in watched.points("fsmvoice.store.duration")]
    assert {"operation": "commit", "outcome": "committed"} in stored
    assert {"operation": "load", "outcome": "done"} in stored


class Broken(MemoryStore):
    async def commit(self, commit: Commit) -> Committed:
        raise StoreUnavailable("no")


async def test_a_store_that_fails_is_reported_as_such(watched: Watched) -> None:
    await create_fsm_mcp_bridge(Coffee, store=Broken()).call("coffee_order", {"drink": "latte"})
    (failed,) = watched.spans("turn ORDER")
    assert failed["fsmvoice.reason"] == "store-unavailable"
    assert failed["fsmvoice.event"] == "ORDER"
    assert {"fsmvoice.outcome": "failed"} in watched.spans("store commit")


async def test_a_call_is_a_record_with_fields(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "fsmvoice"):
        await create_fsm_mcp_bridge(Coffee).call("coffee_order", {"drink": "latte"})
    (record,) = [record for record in caplog.records if record.getMessage() == "ORDER: done"]
    told = json.loads(JsonLines().format(record))
    assert told["level"] == "info"
    assert (told["machine"], told["event"], told["from"], told["to"]) == ("coffee", "ORDER", "idle", "ordering")
    assert told["duration_ms"] > 0
    assert len(told["session"]) == 16


async def test_nothing_that_a_caller_sends_is_reported(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "fsmvoice"):
        async with Issuer().listening() as issuer:
            bridge = create_fsm_mcp_bridge(Coffee)
            async with running(asgi(bridge, auth=OAuth(issuer.url, AUDIENCE))) as url, httpx2.AsyncClient() as http:
                token = issuer.token(sub=CANARY, client_id=CANARY, scope=CANARY, extra=CANARY)
                headers = {
                    "Authorization": f"Bearer {token}",
                    "Accept": "application/json, text/event-stream",
                    "Accept-Language": CANARY,
                    "X-Canary": CANARY,
                }
                for arguments in ({"drink": CANARY}, {"drink": "latte", CANARY: CANARY}, {"drink": "latte"}, CANARY):
                    meta = {
                        "dev.fsmvoice/session": CANARY,
                        "dev.fsmvoice/request-id": f"{CANARY} {arguments}",
                        "other": CANARY,
                    }
                    params = {"name": "coffee_order", "arguments": arguments, "_meta": meta}
                    body = {"jsonrpc": "2.0", "id": CANARY, "method": "tools/call", "params": params}
                    await http.post(f"{url}/mcp", headers=headers, json=body)
                headers["Authorization"] = f"Bearer {CANARY}"
                await http.post(f"{url}/mcp", headers=headers, json={})
    told = watched.told(caplog)
    assert any("ORDER: done" in line for line in told)
    assert [line for line in told if CANARY in line or token in line] == []


class Note(BaseModel):
    text: str = ""
    secret: Annotated[str, Private] = ""


class Notes(VoiceMachine[Note], id="notes"):
    """Whatever one says is kept."""

    here = State(initial=True, prompt="You said {text}.")

    @spoken("write it down")
    @transition("WRITE", source=here)
    def write(self, text: str) -> None:
        self.context.text = self.context.secret = text

    @spoken("refuse it")
    @transition("REFUSE", source=here)
    def refuse(self, text: str) -> None:
        raise Refuse(f"Not {text}")

    @spoken("break it")
    @transition("BREAK", source=here)
    def spoil(self, text: str) -> None:
        self.context.text = [text]  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue] - the test


@pytest.mark.parametrize("url", ["memory:", "sqlite:///{}/s.db"])
async def test_nothing_that_a_session_holds_is_reported(
    url: str, watched: Watched, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    store = await open_store(url.format(tmp_path), limits=Limits(context=400))
    bridge = create_fsm_mcp_bridge(Notes, store=store)
    with caplog.at_level(logging.DEBUG, "fsmvoice"):
        for number, (tool, text) in enumerate(
            (
                ("notes_write", CANARY),
                ("notes_refuse", CANARY),
                ("notes_break", CANARY),
                ("notes_write", CANARY * 100),
                ("notes_status", CANARY),
            )
        ):
            meta = {"dev.fsmvoice/request-id": f"{CANARY} {number}"}
            for again in ("", " again"):  # the second one reuses the request's id
                await bridge.call(tool, {"text": text + again}, CallContext(principal=CANARY, meta=meta))
    await bridge.aclose(0)
    await store.aclose()
    told = watched.told(caplog)
    assert any("WRITE: done" in line for line in told)
    assert any("WRITE: limit-exceeded" in line for line in told)
    assert any("BREAK: action-failed" in line for line in told)
    assert [line for line in told if CANARY in line] == []


def test_nothing_is_paid_for_where_nobody_wants_to_know() -> None:
    assert not telemetry.on
