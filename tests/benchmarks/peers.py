"""The same machines in other packages. None where the package is not installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tests.benchmarks.workloads import FLAT, Step, flat

_STATES = ("idle", "ordering", "preparing", "served")
_ARCS = tuple(zip(_STATES, FLAT, (*_STATES[1:], "idle"), strict=True))


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
    arcs = [
        {"trigger": event, "source": source, "dest": target, "conditions": "ok", "after": "inc"}
        for source, event, target in _ARCS
    ]
    package.Machine(model, states=list(_STATES), transitions=arcs, initial="idle", auto_transitions=False)
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


def xstate_statemachine_flat() -> Step | None:
    """The flat machine in `xstate-statemachine`."""
    package = _installed("xstate_statemachine")
    if package is None:
        return None

    def inc(_interpreter: Any, context: dict[str, Any], _event: Any, _action: Any) -> None:
        context["n"] += 1

    def ok(context: dict[str, Any], _event: Any) -> bool:
        return bool(context["n"] >= 0)

    logic = package.MachineLogic(actions={"inc": inc}, guards={"ok": ok})
    interpreter = package.SyncInterpreter(package.create_machine(flat(), logic=logic))
    interpreter.start()
    send: Step = interpreter.send
    return send


def sismic_flat() -> Step | None:
    """The flat machine in `sismic`, whose code is text."""
    package = _installed("sismic.interpreter")
    if package is None:
        return None
    states = "".join(
        f"      - name: {source}\n        transitions:\n          - event: {event}\n            target: {target}\n"
        "            guard: n >= 0\n            action: n = n + 1\n"
        for source, event, target in _ARCS
    )
    head = "statechart:\n  name: f\n  preamble: n = 0\n  root state:\n    name: root\n    initial: idle\n    states:\n"
    interpreter = package.Interpreter(_installed("sismic.io").import_from_yaml(head + states))
    interpreter.execute()

    def step(event: str) -> None:
        interpreter.queue(event)
        interpreter.execute()

    return step
