"""The same machines in other packages. None where the package is not installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tests.benchmarks.workloads import Step


def transitions_flat() -> Step | None:
    """The flat machine in `transitions`."""
    package = _installed("transitions")
    if package is None:
        return None

    class Model:
        n = 0

        def ok(self) -> bool:
            return self.n >= 0

        def inc(self) -> None:
            self.n += 1

    model: Any = Model()
    states = ["idle", "ordering", "preparing", "served"]
    arcs = [
        {"trigger": event, "source": source, "dest": target, "conditions": "ok", "after": "inc"}
        for event, source, target in zip(("ORDER", "PAY", "SERVE", "RESET"), states, [*states[1:], "idle"], strict=True)
    ]
    package.Machine(model, states=states, transitions=arcs, initial="idle", auto_transitions=False)
    send: Step = model.trigger
    return send


def python_statemachine_flat() -> Step | None:
    """The flat machine in `python-statemachine`."""
    package = _installed("statemachine")
    if package is None:
        return None
    kind = getattr(package, "StateChart", None) or package.StateMachine
    return _make_statemachine(kind, package.State)().send  # type: ignore[no-any-return]  # the package is not typed for us


def _make_statemachine(kind: Any, state: Any) -> Callable[[], Any]:
    idle, ordering, preparing, served = state(initial=True), state(), state(), state()

    def ok(self: Any) -> bool:
        return bool(self.n >= 0)

    def inc(self: Any) -> None:
        self.n += 1

    body = {
        "idle": idle,
        "ordering": ordering,
        "preparing": preparing,
        "served": served,
        "ORDER": idle.to(ordering, cond="ok", on="inc"),
        "PAY": ordering.to(preparing, cond="ok", on="inc"),
        "SERVE": preparing.to(served, cond="ok", on="inc"),
        "RESET": served.to(idle, cond="ok", on="inc"),
        "n": 0,
        "ok": ok,
        "inc": inc,
    }
    made: Callable[[], Any] = type(kind)("Flat", (kind,), body)
    return made


def _installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
