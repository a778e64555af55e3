"""Reads from the source of a machine's functions what they do, without running them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_KEPT = frozenset({"queue", "later"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a function does, as far as its source tells.

    Attributes:
        sets: the context fields to which it always gives a value.
        clears: the context fields that it may set to None or empty.
        unknown: whether it may do more: it calls code that may change the context, or has no source.
        empty: whether it does nothing.
        raises: the events that it queues, or the methods of these events, by name.
    """

    sets: frozenset[str] = frozenset()
    clears: frozenset[str] = frozenset()
    unknown: bool = False
    empty: bool = False
    raises: tuple[str, ...] = ()


UNKNOWN = Reading(unknown=True)


@lru_cache(maxsize=2048)
def read(function: Callable[..., Any]) -> Reading:
    """What `function` does."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return UNKNOWN
    found = next((node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    return UNKNOWN if found is None else _read(found)


def _read(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Reading:
    takers = {argument.arg for argument in [*function.args.posonlyargs, *function.args.args][:1]} | {"context"}
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    sets = _given(function.body, takers)
    cleared = {name for name, value in _stores(function) if isinstance(value, ast.Constant) and value.value is None}
    emptied = {name for call in calls if (name := _changed(call, takers)) and _method(call) == "clear"}
    return Reading(
        frozenset(sets),
        frozenset((cleared | emptied) - sets),
        any(_hands_over(call, takers) for call in calls),
        all(_says_nothing(statement) for statement in function.body),
        tuple(_raised(calls)),
    )


def _given(body: Sequence[ast.stmt], takers: set[str]) -> set[str]:
    """The fields that have a value after these statements, whichever branches were taken."""
    given: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.If):
            ways = [way for way in (statement.body, statement.orelse) if not _leaves(way)]
            given |= set[str].intersection(*(_given(way, takers) for way in ways)) if ways else set()
        elif isinstance(statement, ast.Match):
            given |= set[str]().union(*(_given(case.body, takers) for case in statement.cases))
        elif isinstance(statement, ast.With | ast.AsyncWith):
            given |= _given(statement.body, takers)
        elif isinstance(statement, ast.Try):
            given |= _given([*statement.body, *statement.orelse, *statement.finalbody], takers)
        elif not isinstance(statement, ast.For | ast.AsyncFor | ast.While | ast.FunctionDef | ast.AsyncFunctionDef):
            for name, value in _stores(statement):
                nothing = isinstance(value, ast.Constant) and value.value is None
                given = given - {name} if nothing else given | {name}
            changed = [_changed(node, takers) for node in ast.walk(statement) if isinstance(node, ast.Call)]
            given |= set(filter(None, changed))
    return given


def _leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether these statements end with a raise or return."""
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return)


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _changed(call: ast.Call, takers: set[str]) -> str:
    """The field whose method is called, as in `self.context.items.append(item)`. '' if it is not such a call."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.attr if isinstance(owner, ast.Attribute) and _is_context(owner.value, takers) else ""


def _stores(function: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """The assigned attributes and the keys of returned dicts, with their values if they can be read."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _pairs(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            yield from _pairs(node.target, None)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Attribute):
        yield target.attr, value
    elif (
        isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute) and target.value.attr != "context"
    ):
        yield target.value.attr, None
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        yield str(target.slice.value), value
    elif isinstance(target, ast.Tuple | ast.List):
        values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        same = len(values) == len(target.elts)
        for number, part in enumerate(target.elts):
            yield from _pairs(part, values[number] if same else None)


def _hands_over(call: ast.Call, takers: set[str]) -> bool:
    """Whether a call may change the context: of a method of the machine, or with the machine or context as argument."""
    function = call.func
    if isinstance(function, ast.Attribute):
        owner = function.value
        if function.attr not in _KEPT and (_is_machine(owner, takers) or _is_context(owner, takers)):
            return True
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(_is_machine(value, takers) or _is_context(value, takers) for value in given)


def _is_machine(node: ast.expr, takers: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in takers


def _is_context(node: ast.expr, takers: set[str]) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "context" and _is_machine(node.value, takers)


def _says_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _raised(calls: list[ast.Call]) -> Iterator[str]:
    """The names in calls of `queue`: a method's in `self.ready.queue()`, an event's in `queue("READY")`."""
    for call in calls:
        function = call.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr == "queue"
            and isinstance(function.value, ast.Attribute)
        ):
            yield function.value.attr
        elif _is_queue(function) and call.args:
            first = call.args[0]
            if isinstance(first, ast.Dict):
                keyed = zip(first.keys, first.values, strict=True)
                first = next((v for k, v in keyed if isinstance(k, ast.Constant) and k.value == "type"), first)
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def _is_queue(function: ast.expr) -> bool:
    return (isinstance(function, ast.Name) and function.id == "queue") or (
        isinstance(function, ast.Attribute) and function.attr == "queue"
    )
