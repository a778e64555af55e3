"""Compiling a config without its functions, to be inspected but not run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fsmvoice.model.behaviour import Behaviour, StepCode
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.locale_files import LocaleFiles, LocaleFolder


class _Every(Mapping[str, Any]):
    """A mapping that has a stand-in for every name."""

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


def unbound_chart(config: FsmConfig, *, locales: Path | None = None, guards_hold: bool = False) -> Chart:
    """The chart of a config whose functions are replaced by stand-ins that raise RuntimeError.

    Args:
        locales: the folder with its texts in other languages.
        guards_hold: make every guard hold, to show all events that may be possible.

    Raises:
        DefinitionError: if the config itself is invalid.
    """
    codes = _Every(_code)
    behaviour = Behaviour(
        actions=codes,
        guards=_Every(_yes) if guards_hold else codes,
        services=_Every(_service),
        delays=_Every(_delay),
        locales=None if locales is None else LocaleFiles([LocaleFolder(locales, config.id)]),
    )
    return compile_chart(config, behaviour)


def _code(name: str) -> StepCode:
    return StepCode(name, _nothing)


def _yes(name: str) -> StepCode:
    return StepCode(name, lambda step, params: True)  # noqa: ARG005 - the signature of `StepCode.call`


def _service(_: str) -> Callable[..., Any]:
    return _nothing


def _delay(_: str) -> float:
    return 1.0


def _nothing(*_: Any, **__: Any) -> Any:
    raise RuntimeError("this machine was compiled without its functions")
