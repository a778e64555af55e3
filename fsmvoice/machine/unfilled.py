"""Slots in a config's texts that may have no value, or whose values can't be spoken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsmvoice.errors import Problem
from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.payload import Payload
from fsmvoice.model.slots import slots_of
from fsmvoice.model.texts import spoken_texts
from fsmvoice.voice.formats import INSTALL, is_formatted, is_installed, needs_babel


def unfilled_slots(config: FsmConfig, payloads: Mapping[str, Payload]) -> Iterator[str]:
    """A warning for each slot without a fallback that is neither in the start context nor in any event's payload."""
    known = set(config.context) | {name for payload in payloads.values() for name in payload.parameters}
    told: set[str] = set()
    for where, text in spoken_texts(config):
        for _, name, fallback in slots_of(text):
            if name is not None and fallback is None and name not in known and name not in told:
                told.add(name)
                yield (
                    f"{where}: nothing is known to fill the slot {{{name}}}; give {name!r} a start value in the "
                    f"context, or write {{{name}|other words}}"
                )


def unspoken_formats(config: FsmConfig, behaviour: Behaviour) -> Iterator[Problem]:
    """A problem for each slot whose values need Babel, if that is not installed."""
    if is_installed():
        return
    formatted = {name for name, value in config.context.items() if is_formatted(value)}
    for payload in behaviour.payloads.values():
        formatted |= {name for name, parameter in payload.parameters.items() if needs_babel(parameter.annotation)}
    for where, text in spoken_texts(config):
        for _, name, _ in slots_of(text):
            if name in formatted:
                yield Problem(
                    where,
                    f"the slot {{{name}}} is a number, an amount, a date or a time; saying it needs Babel",
                    INSTALL,
                )
