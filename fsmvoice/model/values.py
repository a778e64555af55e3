"""`Values`: the possible values of a string parameter, when they are known only at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import core_schema


class Values:
    """A `Literal` whose values come from a file or a database: `Annotated[str, Values(*names)]`.

    Raises:
        ValueError: if there are no values, or one is blank.
        TypeError: if a value is not a string.
    """

    __slots__ = ("values",)

    values: tuple[str, ...]

    def __init__(self, *values: str) -> None:
        if not values:
            raise ValueError("Values needs at least one string; write Values(*names) for a list of them")
        for value in values:
            if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass the list itself
                raise TypeError(f"Values takes strings, not {type(value).__name__}; for a list of them, Values(*names)")
            if not value.strip():
                raise ValueError("a value can't be blank: nobody can say it")
        self.values = tuple(dict.fromkeys(values))

    def __repr__(self) -> str:
        return f"Values({', '.join(map(repr, self.values))})"

    def __eq__(self, other: object) -> bool:
        return self.values == other.values if isinstance(other, Values) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.values)

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        if source is not str:
            raise TypeError(f"Values goes with str: Annotated[str, Values(...)], not with {source!r}")
        return core_schema.literal_schema(list(self.values))
