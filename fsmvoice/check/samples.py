"""Sample contexts to try texts and guards with, made from the types of the fields."""

from __future__ import annotations

import datetime as dt
import enum
import types
import typing
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import Parameter, choices_of
from fsmvoice.voice.values import MAX_VALUE

MAX_ROWS = 12
"""Sample contexts. Of a field with more values, only the shortest and the longest are tried."""
_TEXT = "sample"
_LONG = " ".join(["longer"] * 6)


def contexts(chart: Chart, names: Mapping[str, Parameter]) -> list[Any]:
    """The initial context, and contexts in which each field has each of its values once. Invalid ones are left out.

    Args:
        names: the parameters of events by name, whose types are used for the fields of a context without types.
    """
    kind = chart.behaviour.context
    start: dict[str, Any] = {}
    try:
        begun = chart.start_context()
        found = [begun]
        start = kind.dump(begun, private=True)
    except Exception:  # noqa: BLE001, RUF100 - required fields, or a default factory that fails
        found = []
    hints: dict[str, Any] = dict(kind.hints)
    if kind.fields is None:
        hints = {name: parameter.annotation for name, parameter in names.items()}
    columns = {name: values_of(hint) for name, hint in hints.items()}
    for row in range(min(MAX_ROWS, max(map(len, columns.values()), default=0))):
        fields = {name: values[row % len(values)] for name, values in columns.items() if values}
        try:
            found.append(kind.load({**start, **fields}))
        except Exception:  # noqa: BLE001, S112, RUF100 - a validator may reject this combination of values
            continue
    return found


def values_of(hint: Any) -> list[Any]:
    """Sample values for an annotation, longest last. Empty if none can be made."""
    choices = choices_of(hint)
    if choices is not None:
        ordered = sorted(choices, key=lambda choice: len(str(getattr(choice, "value", choice))))
        return ordered if len(ordered) <= MAX_ROWS else [*ordered[: MAX_ROWS - 1], ordered[-1]]
    return list(_free(hint))


def _free(hint: Any) -> Iterator[Any]:
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        inner, *marks = typing.get_args(hint)
        for value in _free(inner):
            yield _within(value, marks)
    elif origin in (typing.Union, types.UnionType):
        for option in typing.get_args(hint):
            if option is not type(None):
                yield from values_of(option)
    elif origin in (list, tuple, set, frozenset):
        inside = next(iter(typing.get_args(hint)), str)
        values = values_of(inside)
        yield [getattr(value, "value", value) if isinstance(value, enum.Enum) else value for value in values[-3:]]
    elif isinstance(hint, type):
        yield from _SAMPLES.get(hint, ())


_SAMPLES: Mapping[type[Any], tuple[Any, ...]] = {
    str: (_TEXT, _LONG),
    int: (1, 20),
    float: (1.5,),
    Decimal: (Decimal("4.50"),),
    dt.date: (dt.date(2026, 12, 24),),
    dt.datetime: (dt.datetime(2026, 12, 24, 18, 30, tzinfo=dt.UTC),),
    dt.time: (dt.time(18, 30),),
    dt.timedelta: (dt.timedelta(minutes=90),),
}


def _within(value: Any, marks: list[Any]) -> Any:
    """A value adapted to the bounds in the metadata of an annotation. Pydantic keeps some bounds in `metadata`."""
    for mark in marks:
        value = _within(value, list(getattr(mark, "metadata", ())))
        low, high = getattr(mark, "ge", None), getattr(mark, "le", None)
        least, most = getattr(mark, "min_length", None), getattr(mark, "max_length", None)
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            value = low if low is not None and value < low else high if high is not None and value > high else value
        if isinstance(value, str):
            value = value.ljust(least, "a") if isinstance(least, int) and least <= MAX_VALUE else value
            value = value[:most] if isinstance(most, int) else value
    return value
