"""Whether a guard's bytecode shows that it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import pytest

from fsmvoice.model.purity import only_looks

SOLD = frozenset({"mocha"})
LIMIT = 3


def helper(items: list[int]) -> bool:
    items.append(1)
    return True


@dataclass
class Cart:
    items: list[int] = field(default_factory=list[int])
    owner: str = ""

    @property
    def counted(self) -> int:
        self.items.append(1)
        return len(self.items)

    @cached_property
    def total(self) -> int:
        return sum(self.items)


def compares(context: Cart) -> bool:
    return len(context.items) < LIMIT and context.owner not in SOLD and context.owner != "x"


def counts(context: Cart) -> bool:
    return sum([item * 2 for item in context.items]) == LIMIT or len(set(context.items)) > 1


def formats(context: Cart) -> bool:
    first, *_ = context.items or [1]
    return f"{context.owner:>3}" == "ann" and str(first)[0] == "1"


def subscripts(context: dict[str, int]) -> bool:
    return bool(context["n"] >= 0)


@pytest.mark.parametrize("guard", [compares, counts, formats, subscripts])
def test_code_that_only_looks_is_known(guard: Callable[..., Any]) -> None:
    assert only_looks(guard, Cart)


def assigns(context: Cart) -> bool:
    context.owner = "ann"
    return True


def deletes(context: Cart) -> bool:
    del context.items[0]
    return True


def adds_in_place(context: Cart) -> bool:
    items = context.items
    items += [1]
    return True


def appends(context: Cart) -> bool:
    context.items.append(1)
    return True


def calls_a_method_by_another_name(context: Cart) -> bool:
    add = context.items.append
    add(1)
    return True


def calls_a_function(context: Cart) -> bool:
    return helper(context.items)


def changes_in_a_comprehension(context: Cart) -> bool:
    return any(helper(items) for items in [context.items])


def hands_over_a_function(context: Cart) -> bool:
    return max([context.items], key=helper) == []


def reads_a_property(context: Cart) -> bool:
    return context.counted > 1


def reads_what_is_kept(context: Cart) -> bool:
    return context.total > 1


def shadows(context: Cart) -> bool:
    len = helper  # noqa: A001 - the point of the test
    return len(context.items)


@pytest.mark.parametrize(
    "guard",
    [
        assigns,
        deletes,
        adds_in_place,
        appends,
        calls_a_method_by_another_name,
        calls_a_function,
        changes_in_a_comprehension,
        hands_over_a_function,
        reads_a_property,
        reads_what_is_kept,
        shadows,
        partial(compares),
        len,
    ],
)
def test_code_that_may_do_anything_is_not_trusted(guard: Callable[..., Any]) -> None:
    assert not only_looks(guard, Cart)
