"""Whatever step code does wrong, the call says so as its own failure, and the machine is where it was."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fsmvoice import create_fsm_actor
from fsmvoice.engine.actor import FsmActor
from fsmvoice.errors import ActionFailed, NotAllowed, ReentrancyError, Refuse, RunawayError, Suspended
from tests.engine.making import actor_of

CONFIG = {
    "id": "m",
    "initial": "a",
    "context": {"n": 0},
    "states": {"a": {"on": {"GO": {"target": "b", "actions": "act", "guard": "ready"}}}, "b": {}},
}


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class Panic(BaseException):
    """What extensions in other languages raise: no Exception."""


def made(act: Callable[..., Any] = dict, ready: Callable[..., Any] = lambda: True) -> FsmActor[dict[str, Any]]:
    return create_fsm_actor(CONFIG, actions={"act": act}, guards={"ready": ready})


def raising(error: BaseException) -> Callable[[], Any]:
    def raises() -> None:
        raise error

    return raises


def is_untouched(actor: FsmActor[dict[str, Any]]) -> bool:
    return actor.snapshot.value == "a" and actor.context == {"n": 0} and actor.send_sync("NOBODY").reason is not None


@pytest.mark.parametrize(
    "error",
    [
        NotAllowed("another machine said no", None),
        Suspended("another machine waits"),
        RunawayError("another machine runs away"),
        ActionFailed("another machine's action failed", name="theirs", event="THEIRS"),
        Mute(),
        StopIteration(),
        asyncio.CancelledError(),
        Panic(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("where", ["act", "ready"])
def test_an_error_of_anything_that_step_code_calls_is_that_code_s_failure(error: BaseException, where: str) -> None:
    actor = made(**{where: raising(error)})
    with pytest.raises(ActionFailed) as caught:
        actor.send_sync("GO")
    assert (caught.value.name, caught.value.event, caught.value.__cause__) == (where, "GO", error)
    assert is_untouched(actor)


def test_firing_another_machine_from_its_own_step_through_this_one_is_reported_as_such() -> None:
    actor = made(raising(ReentrancyError("theirs")))
    with pytest.raises(ReentrancyError, match="theirs"):
        actor.send_sync("GO")
    assert is_untouched(actor)


def test_another_machine_that_has_to_wait_does_not_make_this_one_look_suspended() -> None:
    async def waits() -> None:
        await asyncio.sleep(0)

    other = made(waits)
    actor = made(lambda: other.send_sync("GO"))
    with pytest.raises(ActionFailed, match="'act' raised Suspended"):
        actor.send_sync("GO")


def test_step_code_that_awaits_what_someone_cancelled_has_failed() -> None:
    """Else the failure would look like a cancelled call, which nobody answers."""

    async def waits_for_a_cancelled_task() -> None:
        task = asyncio.ensure_future(asyncio.sleep(60))
        await asyncio.sleep(0)
        task.cancel()
        await task

    async def fires() -> None:
        actor = made(waits_for_a_cancelled_task)
        with pytest.raises(ActionFailed, match="something that it waited for was cancelled"):
            await actor.send("GO")
        assert is_untouched(actor)

    asyncio.run(fires())


async def test_a_cancelled_call_still_leaves_as_cancelled() -> None:
    actor = made(lambda: {"n": 1})

    async def waits() -> None:
        await asyncio.sleep(60)

    actor = made(waits)
    task = asyncio.ensure_future(actor.send("GO"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert is_untouched(actor)


async def a_coroutine() -> bool:
    return False


def returns_a_coroutine() -> Any:
    return a_coroutine()


def yields() -> Iterator[bool]:
    yield False


@pytest.mark.parametrize("ready", [returns_a_coroutine, yields])
def test_a_guard_that_returns_something_to_run_has_not_said_yes(ready: Callable[[], Any]) -> None:
    actor = made(ready=ready)
    with pytest.raises(ActionFailed, match="is neither true nor false"):
        actor.send_sync("GO")
    assert actor.snapshot.available_events == ()
    assert is_untouched(actor)


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (returns_a_coroutine, "a coroutine that nobody awaits"),
        (lambda: True, "returned bool; an action returns context fields"),
        (lambda: [1], "returned list"),
    ],
)
def test_an_action_that_returns_no_context_fields_is_reported(act: Callable[[], Any], told: str) -> None:
    actor = made(act)
    with pytest.raises(ActionFailed, match=told):
        actor.send_sync("GO")
    assert is_untouched(actor)


@pytest.mark.parametrize("event", [5, None, b"GO", ["GO"], {}, {"type": 5}])
def test_what_is_not_an_event_is_reported(event: Any) -> None:
    actor = made()
    with pytest.raises(TypeError, match="an event is a name or a mapping with a 'type', not "):
        actor.send_sync(event)

    def queues_it(queue: Callable[[Any], None]) -> None:
        queue(event)

    queues = made(queues_it)
    with pytest.raises(ActionFailed, match="an event is a name or a mapping with a 'type', not "):
        queues.send_sync("GO")


async def in_a_task(*errors: Exception) -> None:
    async def fails(error: Exception) -> None:
        raise error

    async with asyncio.TaskGroup() as tasks:
        for error in errors:
            tasks.create_task(fails(error))


async def test_what_tasks_of_step_code_refuse_together_is_refused() -> None:
    refuses = made(functools.partial(in_a_task, Refuse("No."), Refuse("Never.")))
    outcome = await refuses.send("GO")
    assert (outcome.reason, outcome.report.refusal) == ("refused", "No.")
    fails = made(functools.partial(in_a_task, Refuse("No."), ValueError("broken")))
    with pytest.raises(ActionFailed, match="ExceptionGroup"):
        await fails.send("GO")
    assert is_untouched(fails)


@pytest.mark.parametrize("said", [None, 5, ValueError("broken")])
def test_a_refusal_that_says_no_text_is_a_mistake_where_it_is_raised(said: Any) -> None:
    def refuses() -> None:
        raise Refuse(said)

    with pytest.raises(ActionFailed, match="Refuse takes the text to say, not "):
        made(refuses).send_sync("GO")


def test_half_a_character_in_a_refusal_does_not_keep_it_from_being_sent() -> None:
    outcome = made(raising(Refuse("No \ud800 card."))).send_sync("GO")
    assert outcome.say.encode().startswith(b"No ? card.")


def test_hundreds_of_regions_are_entered_in_no_time() -> None:
    regions: dict[str, Any] = {f"r{number}": {"initial": "a", "states": {"a": {}}} for number in range(500)}
    before = time.process_time()
    actor = create_fsm_actor({"type": "parallel", "states": regions})
    assert time.process_time() - before < 2, "each region is compared with every other"
    assert len(actor.snapshot.nodes) == 1001


def test_a_service_is_over_even_when_the_steps_of_its_result_and_its_failure_both_fail() -> None:
    def fail() -> None:
        raise OSError

    invoke = {"src": "work", "onDone": {"actions": "fail"}, "onError": {"actions": "fail"}}
    config = {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {"invoke": invoke, "on": {"BACK": "a"}}}}
    actor = actor_of(config, actions={"fail": fail}, services={"work": lambda: 1})
    with pytest.raises(ActionFailed):
        actor.send_sync("GO")
    assert (actor.snapshot.value, actor.run_state.services) == ("b", ())
    assert actor.send_sync("BACK").ok


def test_a_service_is_over_even_when_its_result_sets_off_a_loop_without_end() -> None:
    states = {
        "a": {"on": {"GO": "b"}},
        "b": {"invoke": {"src": "work", "onDone": "c"}},
        "c": {"always": "d"},
        "d": {"always": "c"},
    }
    actor = actor_of({"initial": "a", "states": states}, services={"work": lambda: 1})
    with pytest.raises(RunawayError):
        actor.send_sync("GO")
    assert (actor.snapshot.value, actor.run_state.services) == ("b", ())


def test_a_context_that_holds_itself_is_never_committed() -> None:
    def act(context: dict[str, Any]) -> None:
        context["me"] = [context]

    actor = made(act)
    with pytest.raises(ActionFailed, match="'me' contains itself"):
        actor.send_sync("GO")
    assert is_untouched(actor)


def test_a_payload_called_type_is_not_taken_for_the_event_s() -> None:
    actor = actor_of({"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}})
    outcome = actor.send_sync({"type": "GO"}, type="other")
    assert (outcome.event, outcome.state) == ("GO", "b")
