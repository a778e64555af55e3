"""Whether a guard's bytecode shows that it changes nothing."""

from __future__ import annotations

import builtins
import dis
from collections.abc import Hashable, Iterator
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any

_CALLED = frozenset(
    {abs, all, any, bool, float, frozenset, int, isinstance, len, list, max, min, range, round, set, sum, str, tuple}
)
"""Built-in functions that change nothing."""
_HARMLESS = frozenset(
    {
        *("BINARY_OP", "BINARY_SLICE", "BINARY_SUBSCR", "COMPARE_OP", "CONTAINS_OP", "IS_OP", "TO_BOOL"),
        *("CALL", "CALL_INTRINSIC_1", "PRECALL", "MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"),
        *("CONVERT_VALUE", "FORMAT_SIMPLE", "FORMAT_VALUE", "FORMAT_WITH_SPEC", "UNPACK_EX", "UNPACK_SEQUENCE"),
        *("COPY", "COPY_FREE_VARS", "DELETE_FAST", "MAKE_CELL", "NOP", "NOT_TAKEN", "POP_TOP", "SWAP"),
        *("DICT_MERGE", "DICT_UPDATE", "LIST_APPEND", "LIST_EXTEND", "LIST_TO_TUPLE", "MAP_ADD"),
        *("SET_ADD", "SET_UPDATE"),
        *("END_FOR", "FOR_ITER", "GET_ITER", "POP_ITER", "YIELD_VALUE", "RETURN_GENERATOR"),
        *("LOAD_ATTR", "LOAD_CLOSURE", "LOAD_CONST", "LOAD_DEREF", "LOAD_GLOBAL", "LOAD_SMALL_INT"),
        *("CACHE", "EXTENDED_ARG", "RERAISE", "RESUME", "RETURN_CONST", "RETURN_VALUE"),
    }
)
_HARMLESS_FAMILIES = ("BUILD_", "JUMP_", "LOAD_FAST", "POP_JUMP_", "STORE_FAST", "UNARY_")


def only_looks(function: Any, *owners: type[Any]) -> bool:
    """Whether `function` certainly changes nothing: it stores into no object and calls only harmless built-ins.

    Operators of a user's own types are trusted. False means unknown, because a method that it calls may be harmless.

    Args:
        owners: the classes whose attributes it reads. A property of theirs may do anything.
    """
    if not isinstance(function, FunctionType):
        return False
    return all(_harmless(instruction, function, owners) for instruction in _instructions(function.__code__))


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)


def _harmless(instruction: dis.Instruction, function: FunctionType, owners: tuple[type[Any], ...]) -> bool:
    name = instruction.opname
    if name not in _HARMLESS and not name.startswith(_HARMLESS_FAMILIES):
        return False  # a store, a method call, or an instruction of a later Python
    if name == "BINARY_OP":
        return not instruction.argrepr.endswith("=")  # `items += [1]` changes the list
    if name == "LOAD_GLOBAL" and "NULL" in instruction.argrepr:
        called = function.__globals__.get(instruction.argval, getattr(builtins, instruction.argval, None))
        return isinstance(called, Hashable) and called in _CALLED
    if name == "LOAD_ATTR":
        return "NULL" not in instruction.argrepr and not any(_computes(owner, instruction.argval) for owner in owners)
    return True


def _computes(owner: type[Any], name: str) -> bool:
    """Whether reading the attribute runs code of the user's."""
    for base in owner.__mro__:
        if name in vars(base):
            value: Any = vars(base)[name]
            kind: type[Any] = value.__class__
            if _is_ours(base) or _is_ours(kind) or isinstance(value, FunctionType | MemberDescriptorType):
                return False
            return hasattr(kind, "__get__")
    return False


def _is_ours(kind: type[Any]) -> bool:
    return kind.__module__.partition(".")[0] in ("fsmvoice", "pydantic")
