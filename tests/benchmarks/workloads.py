"""The machines that are measured, and how ours runs them (the peers' columns stand in peers.py)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, guard, transition
from fsmvoice.engine.actor import FsmActor
from fsmvoice.model.behaviour import Behaviour, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.parse import parse_config

Step = Callable[[str], Any]
AsyncStep = Callable[[str], Awaitable[Any]]

FLAT = ("ORDER", "PAY", "SERVE", "RESET")
NESTED = ("GO", "UP", "OVER", "BACK")
PARALLEL = ("T", "T1", "T2", "T3")


def flat() -> dict[str, Any]:
    """Four states in a circle; each transition has a guard, and an action that counts."""
    arcs = [("idle", "ORDER", "ordering"), ("ordering", "PAY", "preparing"), ("preparing", "SERVE", "served")]
    arcs.append(("served", "RESET", "idle"))
    return {
        "id": "flat",
        "initial": "idle",
        "context": {"n": 0},
        "states": {
            source: {"on": {event: {"target": target, "guard": "ok", "actions": "inc"}}}
            for source, event, target in arcs
        },
    }


def nested() -> dict[str, Any]:
    """Four leaves on three levels."""
    inner = {
        "x": {"on": {"GO": {"target": "y", "actions": "inc"}}},
        "y": {"on": {"UP": {"target": "#nested.A.a2", "actions": "inc"}}},
    }
    return {
        "id": "nested",
        "initial": "A",
        "context": {"n": 0},
        "states": {
            "A": {
                "initial": "a1",
                "on": {"OVER": {"target": "B", "actions": "inc"}},
                "states": {"a1": {"initial": "x", "states": inner}, "a2": {}},
            },
            "B": {
                "initial": "b1",
                "on": {"BACK": {"target": "A", "actions": "inc"}},
                "states": {"b1": {"initial": "z", "states": {"z": {}}}},
            },
        },
    }


def parallel() -> dict[str, Any]:
    """Three switches; T turns all of them, T1 to T3 one each."""
    return {
        "id": "parallel",
        "type": "parallel",
        "context": {"n": 0},
        "states": {
            f"r{number}": {
                "initial": "off",
                "states": {
                    source: {"on": {event: {"target": target, "actions": "inc"} for event in ("T", f"T{number}")}}
                    for source, target in (("off", "on"), ("on", "off"))
                },
            }
            for number in (1, 2, 3)
        },
    }


def large() -> dict[str, Any]:
    """A hundred states with ten events each."""
    states = {f"s{i}": {"on": {f"e{j}": f"s{(i + j + 1) % 100}" for j in range(10)}} for i in range(100)}
    return {"id": "large", "initial": "s0", "states": states}


def inc(context: dict[str, Any]) -> dict[str, Any]:
    return {"n": context["n"] + 1}


async def inc_async(context: dict[str, Any]) -> dict[str, Any]:
    return {"n": context["n"] + 1}


def ok(context: dict[str, Any]) -> bool:
    return bool(context["n"] >= 0)


def chart(config: dict[str, Any], *, coroutines: bool = False) -> Chart:
    """Our chart of a measured machine."""
    action = inc_async if coroutines else inc
    return compile_chart(
        parse_config(config),
        Behaviour(actions={"inc": named_code("inc", action)}, guards={"ok": named_code("ok", ok, role="guard")}),
    )


def ours(config: dict[str, Any]) -> Step:
    return FsmActor[Any](chart(config)).send_sync


class Count(BaseModel):
    n: int = 0


class Flat(VoiceMachine[Count]):
    """The flat machine as a class."""

    idle = State(initial=True)
    ordering = State()
    preparing = State()
    served = State()

    @guard("It has to be counted.")
    def counted(self) -> bool:
        return self.context.n >= 0

    @transition("ORDER", source=idle, target=ordering, guard=counted)
    def order(self) -> None:
        self.context.n += 1

    @transition("PAY", source=ordering, target=preparing, guard=counted)
    def pay(self) -> None:
        self.context.n += 1

    @transition("SERVE", source=preparing, target=served, guard=counted)
    def serve(self) -> None:
        self.context.n += 1

    @transition("RESET", source=served, target=idle, guard=counted)
    def begin_again(self) -> None:
        self.context.n += 1


def ours_async(config: dict[str, Any]) -> AsyncStep:
    return FsmActor[Any](chart(config, coroutines=True)).send
