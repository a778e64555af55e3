"""The metaclass of `VoiceMachine`, which compiles the class body."""

from __future__ import annotations

import functools
import typing
from abc import ABCMeta
from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.machine.body import Body, kind_of
from fsmvoice.machine.compile import Compilation
from fsmvoice.machine.context_argument import context_argument
from fsmvoice.machine.definition import Definition
from fsmvoice.machine.keywords import Keywords
from fsmvoice.machine.members import members_of
from fsmvoice.machine.place import here, user_frame
from fsmvoice.machine.running import Running, actor_of, standing

if TYPE_CHECKING:
    _Meta = ABCMeta
else:
    _Meta = type(typing.Protocol)  # a subclass of ABCMeta that lets a machine class implement a Protocol


class MachineType(_Meta):
    """The type of machine classes."""

    __fsmvoice_definition__: Definition | None
    __fsmvoice_keywords__: Keywords

    @classmethod
    def __prepare__(cls, name: str, bases: tuple[type, ...], /, **keywords: Any) -> Body:
        return Body()

    def __new__(mcs, name: str, bases: tuple[type, ...], body: Mapping[str, Any], /, **keywords: Any) -> MachineType:
        cls = super().__new__(mcs, name, bases, body.attributes() if isinstance(body, Body) else dict(body), **keywords)
        lineage = [base for base in cls.__mro__ if isinstance(base, MachineType)]
        cls.__fsmvoice_definition__ = _defined(cls, lineage[-1], body) if len(lineage) > 1 else None
        return cls

    if not TYPE_CHECKING:  # type checkers would use this signature for every machine class

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - a metaclass, which ruff can't see
            machine = super().__call__(*args, **kwargs)
            if isinstance(machine, cls):
                actor_of(machine)  # starts the machine after __init__, so that hooks can use what __init__ sets
            return machine


def definition_of(cls: type[Running[Any]]) -> Definition:
    """The definition of a machine class.

    Raises:
        DefinitionError: if it has no states.
    """
    definition: Definition | None = getattr(cls, "__fsmvoice_definition__", None)
    if definition is None:
        hint = "a machine needs at least one, idle = State(initial=True)"
        raise DefinitionError(cls.__name__, [Problem("", "it has no states", hint)])
    return definition


def set_keywords(cls: type[Running[Any]], keywords: Keywords) -> None:
    """Store the keywords of the class statement, merged with inherited ones."""
    kept: Any = cls
    kept.__fsmvoice_keywords__ = keywords.over(getattr(cls, "__fsmvoice_keywords__", Keywords()))


def _defined(cls: type, root: type, body: Mapping[str, Any]) -> Definition | None:
    """The definition of a class, or None for a base class without states."""
    types = {name: value for name, value in body.items() if _names_a_type(value)}
    names = {**user_frame().f_locals, **types}
    members = members_of(cls, body, root)
    keywords: Keywords = getattr(cls, "__fsmvoice_keywords__", Keywords())
    context: Any = None
    try:
        context = context_argument(cls, root, names)
    except (TypeError, NameError) as error:
        members.problems.append(Problem(str(here()), f"VoiceMachine[...]: {error}"))
    compilation = Compilation(cls, members, keywords, context=context, names=names)
    if not compilation.tree.states and not members.problems:
        return None
    return compilation.run(functools.partial(standing, cast("type[Running[Any]]", cls)))


def _names_a_type(value: Any) -> bool:
    """Whether an attribute of a class body may be used in annotations; methods and declarations may not."""
    return not kind_of(value) and not isinstance(value, FunctionType | classmethod | staticmethod | property)
