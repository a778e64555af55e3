"""Every reply of the examples is fit to be spoken: in each state, for each event, possible or not, in two languages."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from fsmvoice.bridge.result import reply
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.machine.actor import compile_config
from fsmvoice.machine.placing import run_state_at
from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import Payload
from fsmvoice.voice.offers import offers
from fsmvoice.voice.reply import Speech, make_speech

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = 75
OPTIONS = 5
MARKUP = re.compile(r"[<>*`{}\[\]|\\~^#]|https?://|www\.|[\U0001F300-\U0001FAFF☀-➿]")
ID = re.compile(r"\w*_\w*|\b[A-Z]{2,}\b|\b[a-z]+[A-Z]\w*|\b\w+\.\w+\.\w+")


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def charts() -> dict[str, Chart]:
    graph = example("ticket_graph")
    workflow = compile_config(graph.ticket_workflow(graph.Pretend()), locales=graph.LOCALES)
    return {
        "coffee": example("coffee").Coffee.chart,
        "kiosk": example("kiosk").Kiosk.chart,
        "ticket": example("ticket").Ticket.chart,
        "ticket_graph": workflow,
    }


CHARTS = charts()


class Said(NamedTuple):
    what: str
    text: str
    snapshot: Snapshot[Any]
    outcome: Outcome[Any] | None


def contexts(name: str) -> Sequence[dict[str, Any]]:
    """What a machine may know in any of its states."""
    known: dict[str, list[dict[str, Any]]] = {
        "coffee": [{"drink": "flat white", "size": "large"}],
        "kiosk": [{}, {"grams": 18}],
        "ticket": [{}, {"assignee": "alice", "rounds": 2}],
        "ticket_graph": [{}, {"pull_request": 101}],
    }
    return known[name]


def actor_at(chart: Chart, path: str, context: dict[str, Any]) -> FsmActor[Any]:
    state = run_state_at(chart, path, context)
    place = chart.behaviour.place
    if place is None:
        return FsmActor(chart, run_state=state)
    machine = place(state)
    found: FsmActor[Any] = machine
    return found


def payloads(payload: Payload | None) -> Iterator[dict[str, Any]]:
    """Every payload of listed values there is, and those that are missing something or hold what they should not."""
    if payload is None or not payload.parameters:
        yield {}
        return
    yield {}
    names = list(payload.parameters)
    yield {names[0]: "<b>_nonsense_</b>"}
    yield {"drnk": "latte"}
    choices = [parameter.choices or () for parameter in payload.parameters.values()]
    for values in itertools.product(*choices):
        yield dict(zip(names, values, strict=True))


async def replies(name: str, locale: str) -> list[Said]:
    if (name, locale) not in KNOWN:
        KNOWN[name, locale] = await found_replies(name, locale)
    return KNOWN[name, locale]


async def found_replies(name: str, locale: str) -> list[Said]:
    chart, found = CHARTS[name], list[Said]()
    speech = make_speech("en").speaking(chart, [locale])
    for node in chart.nodes[1:]:
        if not node.is_leaf:
            continue
        for context in contexts(name):
            at = f"{node.path} {context}"
            standing = actor_at(chart, node.path, context).snapshot
            found.append(Said(f"{at} status", speech.status(standing), standing, None))
            found.append(Said(f"{at} asked again", speech.status(standing, attempts=2), standing, None))
            for event in chart.events:
                for values in payloads(chart.behaviour.payloads.get(event)):
                    for attempts in (1, 2, 3):
                        actor = actor_at(chart, node.path, context)
                        outcome = await actor.send(event, **values)
                        text = speech.outcome(outcome, attempts=attempts)
                        found.append(Said(f"{at} {event} {values} {attempts}", text, outcome.snapshot, outcome))
            over = await actor_at(chart, node.path, context).reset_async()
            found.append(Said(f"{at} start over", speech.outcome(over), over.snapshot, over))
    return found


KNOWN: dict[tuple[str, str], list[Said]] = {}
EVERY = [(name, locale) for name in CHARTS for locale in ("en", "de")]


def speech_of(chart: Chart, locale: str) -> Speech:
    return make_speech("en").speaking(chart, [locale])


@pytest.mark.parametrize(("name", "locale"), EVERY)
async def test_every_reply_is_fit_to_be_spoken(name: str, locale: str, caplog: pytest.LogCaptureFixture) -> None:
    await found_replies(name, locale)
    assert [record.getMessage() for record in caplog.records] == []
    phrases = speech_of(CHARTS[name], locale).phrases
    for it in await replies(name, locale):
        where = f"{it.what}: {it.text!r}"
        assert it.text.strip(), where
        assert not MARKUP.search(it.text), where
        assert not ID.search(it.text), where
        assert len(it.text.split()) <= WORDS, where
        assert "  " not in it.text, where
        asking = [phrases.asks(sentence) for sentence in phrases.sentences(it.text)]
        assert sum(asking) <= 1, where
        assert True not in asking[:-1], where
        assert it.text[-1] in ".!?", where


@pytest.mark.parametrize(("name", "locale"), EVERY)
async def test_what_is_offered_is_told_apart_and_can_be_listened_to(name: str, locale: str) -> None:
    for it in await replies(name, locale):
        labels = [offer.label for offer in offers(it.snapshot, locale) if offer.enabled]
        assert len(labels) <= OPTIONS, it.what
        assert len(set(labels)) == len(labels), it.what


@pytest.mark.parametrize(("name", "locale"), EVERY)
async def test_text_and_structured_content_agree(name: str, locale: str) -> None:
    speech = speech_of(CHARTS[name], locale)
    for it in await replies(name, locale):
        offered = offers(it.snapshot, locale)
        tools = {offer.event: offer.event.lower() for offer in offered}
        reason = None if it.outcome is None else it.outcome.reason
        told = reply(
            it.text, reason=reason, snapshot=it.snapshot, offered=offered, tools=tools, locale=speech.phrases.tag
        )
        facts = told.structured
        assert facts["say"] == told.text == it.text
        assert facts["ok"] is (reason is None)
        possible = [offer.event for offer in offered if offer.enabled]
        assert [action["event"] for action in facts["actions"]] == possible
        assert [event for event in facts["state"]["availableEvents"] if event in tools] == possible
        blocked = {item["event"]: item["say"] for item in facts["state"]["blockedEvents"]}
        assert blocked == {offer.event: offer.say for offer in offered if not offer.enabled}


@pytest.mark.parametrize(("name", "locale"), EVERY)
async def test_a_refusal_says_nothing_of_what_is_closed_as_if_it_were_open(name: str, locale: str) -> None:
    """Each label that is said as something that can be done is that of an event that can be taken."""
    speech = speech_of(CHARTS[name], locale)
    every = {offer.label for node in CHARTS[name].nodes for offer in _offers_at(CHARTS[name], node.path, locale)}
    start = speech.phrases.can(["§"]).partition("§")[0]
    for it in await replies(name, locale):
        at = it.text.rfind(start)
        if at < 0:
            continue
        said = {label for label in every if label in it.text[at:]}
        assert said <= {offer.label for offer in offers(it.snapshot, locale) if offer.enabled}, it


def _offers_at(chart: Chart, path: str, locale: str) -> list[Any]:
    if not path or not chart.by_path[path].is_leaf:
        return []
    return offers(actor_at(chart, path, {}).snapshot, locale)


async def test_german_replies_hold_no_english() -> None:
    english = re.compile(r"\b(the|you|your|is|order|cancel|can't|ready|light|ticket is|with)\b")
    for name in CHARTS:
        for it in await replies(name, "de"):
            assert not english.search(it.text), f"{it.what}: {it.text!r}"
