"""A config compiled without its functions: to be looked at, never to be run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fsmvoice.model.behaviour import Behaviour, StepCode
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.config import FsmConfig


class _Every(Mapping[str, Any]):
    """Stands for the functions of every name that a config may hold."""

    def __init__(self, stand_in: Callable[[str], Any]) -> None:
        self._stand_in = stand_in

    def __getitem__(self, name: str) -> Any:
        return self._stand_in(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def unbound_chart(config: FsmConfig) -> Chart:
    """The chart of a config whose functions are not there; what they would do raises NotImplementedError.

    Raises:
        DefinitionError: for a config that is wrong in itself.
    """
    codes = _Every(_code)
    behaviour = Behaviour(actions=codes, guards=codes, services=_Every(_service), delays=_Every(_delay))
    return compile_chart(config, behaviour)


def _code(name: str) -> StepCode:
    return StepCode(name, _nothing)


def _service(_: str) -> Callable[..., Any]:
    return _nothing


def _delay(_: str) -> float:
    return 1.0


def _nothing(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("this machine was compiled without its functions")
