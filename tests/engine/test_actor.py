"""A live machine: its events, its turns, its context, starting over."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.errors import ActionFailed, ReentrancyError, Refuse, Suspended
from fsmvoice.model.context import context_type_for
from fsmvoice.model.payload import Parameter
from tests.engine.making import Actor, Log, actor_of, chart_of

COUNTER: Mapping[str, Any] = {
    "id": "counter",
    "initial": "a",
    "context": {"n": 0},
    "states": {"a": {"on": {"ADD": {"actions": "add"}, "GO": {"target": "b", "actions": "add"}}}, "b": {}},
}


def counter(add: Any) -> Actor:
    return actor_of(COUNTER, actions={"add": add})


@dataclass
class Basket:
    items: list[str] = field(default_factory=list[str])
    count: int = 0


def test_an_event_is_a_name_with_fields_or_a_mapping_with_a_type() -> None:
    actor = counter(lambda event: {"n": event["by"]})
    assert actor.send_sync("ADD", by=2).context == {"n": 2}
    assert actor.send_sync({"type": "ADD", "by": 3}).context == {"n": 3}
    with pytest.raises(TypeError, match="a mapping with a 'type'"):
        actor.send_sync({"by": 3})


def test_a_payload_with_a_schema_is_checked_and_completed() -> None:
    actor = actor_of(
        COUNTER,
        actions={"add": lambda event: {"n": event["by"]}},
        payloads={"ADD": [Parameter("by", int, 5)]},
    )
    assert actor.send_sync("ADD").context == {"n": 5}
    outcome = actor.send_sync("ADD", by="many", bye=1)
    assert (outcome.ok, outcome.reason, outcome.changed) == (False, "invalid-arguments", False)
    assert [(fault.kind, fault.name) for fault in outcome.report.faults] == [("unknown", "bye"), ("bad", "by")]


def test_refuse_undoes_the_step_and_is_an_outcome() -> None:
    def add(context: dict[str, Any]) -> None:
        context["n"] = 99
        raise Refuse("Your card was declined.")

    outcome = counter(add).send_sync("GO")
    assert (outcome.ok, outcome.reason, outcome.state, outcome.context) == (False, "refused", "a", {"n": 0})
    assert outcome.report.refusal == "Your card was declined."
    assert outcome.report.taken == ()


def test_an_action_that_raises_changes_nothing_and_the_next_event_works() -> None:
    broken = True

    def add(context: dict[str, Any]) -> dict[str, Any]:
        context["n"] += 1
        if broken:
            raise OSError("offline")
        return {}

    actor = counter(add)
    before = actor.run_state
    with pytest.raises(ActionFailed):
        actor.send_sync("GO")
    assert actor.run_state is before
    assert actor.context == {"n": 0}
    broken = False
    assert actor.send_sync("GO").context == {"n": 1}


def test_an_action_may_change_the_context_in_place_and_earlier_snapshots_keep_theirs() -> None:
    def add(context: Basket) -> None:
        context.items.append("tea")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"ADD": {"actions": "add"}}}}},
        actions={"add": add},
        context=context_type_for(Basket),
    )
    before = actor.snapshot
    after = actor.send_sync("ADD").snapshot
    assert (before.context.items, after.context.items) == ([], ["tea"])


def test_a_context_that_does_not_fit_at_the_commit_is_named_with_the_action() -> None:
    def spoil(context: Basket) -> None:
        context.count = "many"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue] - the mistake under test

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "spoil"}}}, "b": {}}},
        actions={"spoil": spoil},
        context=context_type_for(Basket),
    )
    with pytest.raises(ActionFailed, match=r"'spoil' left an invalid context at event 'GO': .*'count'"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "a"


def test_inside_a_step_the_actors_context_is_the_draft() -> None:
    seen: list[Any] = []

    def add() -> None:
        actor.context["n"] = 5
        seen.append(actor.context["n"])

    actor = counter(add)
    assert actor.send_sync("ADD").context == {"n": 5}
    assert seen == [5]


async def test_a_reader_during_an_async_action_sees_the_committed_context() -> None:
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def add(context: dict[str, Any]) -> None:
        context["n"] = 1
        inside.set()
        await go_on.wait()

    actor = counter(add)
    sending = asyncio.create_task(actor.send("GO"))
    await inside.wait()
    assert (actor.context, actor.snapshot.value, actor.can("ADD")) == ({"n": 0}, "a", True)
    go_on.set()
    assert (await sending).context == {"n": 1}


async def test_a_hundred_sends_at_once_make_one_transition() -> None:
    async def add(context: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"n": context["n"] + 1}

    actor = counter(add)
    outcomes = await asyncio.gather(*(actor.send("GO") for _ in range(100)))
    assert [outcome.ok for outcome in outcomes] == [True] + [False] * 99
    assert {outcome.reason for outcome in outcomes[1:]} == {"no-transition"}
    assert (actor.snapshot.value, actor.context, actor.snapshot.revision) == ("b", {"n": 1}, 1)


async def test_raised_events_come_before_those_from_outside() -> None:
    log = Log()

    async def first(queue: Any) -> None:
        log.append("first")
        await asyncio.sleep(0)
        queue("INNER")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {e: {"actions": e} for e in ("FIRST", "INNER", "OUTER")}}}},
        actions={"FIRST": first, **log.actions("INNER", "OUTER")},
    )
    await asyncio.gather(actor.send("FIRST"), actor.send("OUTER"))
    assert log == ["first", "INNER", "OUTER"]


async def test_cancelling_a_send_changes_nothing_and_the_next_one_goes() -> None:
    inside = asyncio.Event()
    waiting = True

    async def add(context: dict[str, Any]) -> None:
        context["n"] += 1
        inside.set()
        if waiting:
            await asyncio.Event().wait()

    actor = counter(add)
    first = asyncio.create_task(actor.send("GO"))
    await inside.wait()
    second = asyncio.create_task(actor.send("GO"))
    third = asyncio.create_task(actor.send("GO"))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    waiting = False
    outcome = await third
    assert (outcome.ok, outcome.context) == (True, {"n": 1})
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_a_turn_that_comes_at_the_moment_of_a_cancellation_goes_on_to_the_next() -> None:
    async def add(context: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"n": context["n"] + 1}

    actor = counter(add)

    async def send_then_cancel_the_next() -> None:
        await actor.send("ADD")
        second.cancel()

    first = asyncio.create_task(send_then_cancel_the_next())
    await asyncio.sleep(0)
    second = asyncio.create_task(actor.send("ADD"))
    await asyncio.gather(first, second, return_exceptions=True)
    assert second.cancelled()
    outcome = await asyncio.wait_for(actor.send("ADD"), 5)
    assert outcome.context == {"n": 2}


def test_a_step_that_has_to_wait_can_not_be_sent_without_a_loop() -> None:
    async def add() -> None:
        await asyncio.sleep(0)

    actor = counter(add)
    with pytest.raises(Suspended, match="use the async call instead"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "a"


def test_a_coroutine_that_does_not_wait_runs_without_a_loop() -> None:
    async def add(context: dict[str, Any]) -> dict[str, Any]:
        return {"n": context["n"] + 1}

    assert counter(add).send_sync("GO").context == {"n": 1}


async def test_a_start_that_has_to_wait_is_started_with_await() -> None:
    async def enter() -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"n": 7}

    chart = chart_of({**COUNTER, "entry": "enter"}, actions={"enter": enter, "add": enter})
    with pytest.raises(Suspended, match=r"await FsmActor\.started"):
        FsmActor[Any](chart)
    assert (await FsmActor[Any].started(chart)).context == {"n": 7}


async def test_sending_from_inside_a_step_is_refused_with_advice() -> None:
    def again() -> None:
        actor.send_sync("ADD")

    actor = counter(again)
    with pytest.raises(ReentrancyError, match="queue it instead"):
        actor.send_sync("GO")

    async def again_async() -> None:
        await actor.send("ADD")

    actor = counter(again_async)
    with pytest.raises(ReentrancyError, match="queue it instead"):
        await actor.send("GO")
    assert actor.snapshot.value == "a"


async def test_a_task_that_outlives_its_step_may_send() -> None:
    tasks: list[asyncio.Task[Any]] = []

    def add() -> None:
        if not tasks:
            tasks.append(asyncio.get_running_loop().create_task(actor.send("ADD")))

    actor = counter(add)
    assert (await actor.send("GO")).state == "b"
    assert (await tasks[0]).reason == "no-transition"


async def test_sending_without_a_loop_while_another_task_is_in_a_step_has_to_wait() -> None:
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def add() -> None:
        inside.set()
        await go_on.wait()

    actor = counter(add)
    sending = asyncio.create_task(actor.send("GO"))
    await inside.wait()
    with pytest.raises(Suspended, match="in another task or thread"):
        actor.send_sync("GO")
    go_on.set()
    assert (await sending).ok


def test_queue_is_for_actions_only() -> None:
    actor: Actor = counter(lambda: actor.queue("GO"))
    with pytest.raises(ReentrancyError, match="only by an action"):
        actor.queue("GO")
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"ADD": {"actions": "add"}, "GO": "b"}}, "b": {}}},
        actions={"add": lambda: actor.queue("GO")},
    )
    assert actor.send_sync("ADD").state == "b"


def test_starting_over_gives_the_context_given_at_construction() -> None:
    log = Log()
    chart = chart_of(
        {"initial": "a", "states": {"a": {"entry": "enter", "exit": "leave", "on": {"GO": {"actions": "spoil"}}}}},
        actions={**log.actions("enter", "leave"), "spoil": lambda context: context["items"].append("x")},
    )
    given: dict[str, Any] = {"items": []}
    actor = FsmActor[Any](chart, context=given)
    actor.send_sync("GO")
    log.clear()
    outcome = actor.reset()
    assert log == ["leave", "enter"]
    assert (outcome.ok, outcome.context, outcome.snapshot.revision) == (True, {"items": []}, 2)
    assert given == {"items": []}


def test_starting_over_when_done_runs_no_exits() -> None:
    log = Log()
    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"END": "z"}}, "z": {"final": True, "exit": "leave"}}},
        actions=log.actions("leave"),
    )
    actor.send_sync("END")
    log.clear()
    assert actor.reset().state == "a"
    assert log == []
    assert not actor.snapshot.done


def test_starting_over_is_all_or_nothing() -> None:
    broken = False

    def enter() -> None:
        if broken:
            raise OSError("offline")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"entry": "enter", "on": {"GO": "b"}}, "b": {}}}, actions={"enter": enter}
    )
    actor.send_sync("GO")
    broken = True
    with pytest.raises(ActionFailed, match="'enter' raised OSError"):
        actor.reset()
    assert (actor.snapshot.value, actor.snapshot.revision) == ("b", 1)


async def test_starting_over_may_wait() -> None:
    async def leave() -> None:
        await asyncio.sleep(0)

    actor = actor_of(
        {"initial": "a", "states": {"a": {"exit": "leave", "on": {"GO": "b"}}, "b": {}}}, actions={"leave": leave}
    )
    with pytest.raises(Suspended):
        actor.reset()
    assert (await actor.reset_async()).state == "a"


def test_restoring_runs_nothing() -> None:
    log = Log()
    chart = chart_of({"initial": "a", "states": {"a": {"entry": "enter"}}}, actions=log.actions("enter"))
    state = FsmActor[Any](chart).run_state
    log.clear()
    assert FsmActor[Any](chart, run_state=state).snapshot.value == "a"
    assert log == []
