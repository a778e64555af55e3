"""Services that are plain functions run in the call, and coroutines need a loop."""

from typing import Any

import pytest

from fsmvoice.errors import ActionFailed, RunawayError, ServiceFailed, Suspended
from tests.engine.loading import loading
from tests.engine.making import actor_of


def divide(event: dict[str, Any]) -> None:
    event["share"] = 1 / event["output"]


def test_a_plain_function_runs_in_the_call_after_the_commit() -> None:
    actor = loading(lambda: 3)
    outcome = actor.send_sync("LOAD")
    assert outcome.state == "loading"
    assert (actor.snapshot.value, actor.context) == ("ready", {"n": 3})


async def test_a_plain_function_is_the_same_in_an_awaited_call() -> None:
    actor = loading(lambda: 3)
    outcome = await actor.send("LOAD")
    assert outcome.state == "loading"
    assert (actor.snapshot.value, actor.context) == ("ready", {"n": 3})


def test_a_plain_function_that_fails_unheard_is_told_to_the_caller() -> None:
    def load() -> None:
        raise OSError("offline")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {"invoke": {"src": "load"}, "on": {"GO": "a"}}}},
        services={"load": load},
    )
    with pytest.raises(ServiceFailed, match="offline"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"
    assert actor.send_sync("GO").state == "a"


def test_a_result_that_can_not_be_applied_is_a_failure_of_the_service() -> None:
    actor = actor_of(
        {
            "initial": "a",
            "states": {"a": {"invoke": {"src": "load", "onDone": {"actions": "keep"}, "onError": "b"}}, "b": {}},
        },
        actions={"keep": divide},
        services={"load": lambda: 0},
    )
    assert actor.snapshot.value == "b"


def test_a_failing_step_of_a_failure_changes_nothing_and_the_machine_lives() -> None:
    def load() -> None:
        raise OSError("offline")

    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {"on": {"GO": "b"}},
                "b": {"invoke": {"src": "load", "onError": {"target": "a", "actions": "bad"}}, "on": {"GO": "a"}},
            },
        },
        actions={"bad": lambda: 1 / 0},
        services={"load": load},
    )
    with pytest.raises(ActionFailed, match="'bad' raised ZeroDivisionError"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"
    assert actor.send_sync("GO").state == "a"


def test_a_coroutine_service_without_a_loop_is_refused_and_nothing_changes() -> None:
    async def load() -> int:
        return 1

    actor = loading(load)
    with pytest.raises(Suspended, match=r"the service '0\.m\.loading' of machine 'm' is async"):
        actor.send_sync("LOAD")
    assert (actor.snapshot.value, actor.snapshot.revision, actor.run_state.services) == ("idle", 0, ())


def test_a_start_with_a_coroutine_service_needs_a_loop() -> None:
    async def load() -> int:
        return 1

    with pytest.raises(Suspended, match=r"await FsmActor\.started"):
        actor_of({"initial": "a", "states": {"a": {"invoke": {"src": "load"}}}}, services={"load": load})


def test_a_service_that_starts_itself_again_without_end_is_stopped() -> None:
    config = {
        "initial": "a",
        "states": {
            "a": {"on": {"GO": "b"}},
            "b": {"invoke": {"src": "load", "onDone": {"target": "b", "reenter": True}}},
        },
    }
    actor = actor_of(config, services={"load": lambda: 1})
    with pytest.raises(RunawayError, match="send events without end"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"
