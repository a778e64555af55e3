"""`Chart`: a config and its behaviour compiled for running, with names resolved and states in document order."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import cached_property
from itertools import combinations
from typing import Any

import pydantic

from fsmvoice.errors import DefinitionError, Problem, did_you_mean
from fsmvoice.model.behaviour import Behaviour, InState, StepCode, named_code
from fsmvoice.model.config import FsmConfig, InvokeConfig, Named, TransitionConfig
from fsmvoice.model.context import ContextType, DictContext, TypedContext, merged_dict
from fsmvoice.model.copying import copied, copied_dict
from fsmvoice.model.forms import step
from fsmvoice.model.nodes import Arc, Call, Delay, Invocation, Node, is_wildcard, matches_descriptor
from fsmvoice.model.payload import Payload
from fsmvoice.model.schema import quiet
from fsmvoice.model.service import ServiceCode, service_code
from fsmvoice.model.tree import Tree, TreeNode


class Chart:
    """A machine ready to run. It is immutable and shared by any number of runs."""

    context_type: ContextType

    config: FsmConfig
    behaviour: Behaviour
    nodes: tuple[Node, ...]
    root: Node

    def __init__(self, config: FsmConfig, behaviour: Behaviour, nodes: tuple[Node, ...]) -> None:
        self.config, self.behaviour, self.nodes = config, behaviour, nodes
        kind = self.context_type = behaviour.context
        plain = type(kind) is DictContext
        self.copy_context: Callable[[Any], Any] = copied_dict if plain else kind.copier or kind.copy
        self.merge_context: Callable[[Any, Mapping[str, Any]], Any] = merged_dict if plain else kind.merge
        self.check_context: Callable[[Any], Any] = kind.check
        self.unchecked: type[Any] | None = dict if plain else None
        """The context class whose instances need no check, if there is one."""
        self.payloads: dict[str, Payload] = dict(behaviour.payloads)
        self.root = nodes[0]
        self.by_path: Mapping[str, Node] = {node.path: node for node in reversed(nodes)}
        self.by_id: Mapping[str, Node] = {node.id: node for node in nodes}
        self.delays: Mapping[str, tuple[Node, Delay]] = {
            delay.event: (node, delay) for node in nodes for delay in node.delays
        }
        self.services: frozenset[str] = frozenset(invocation.id for node in nodes for invocation in node.invocations)
        found = dict.fromkeys(
            name for node in nodes for name in node.config.on if node.on.get(name) and not is_wildcard(name)
        )
        # A class declares its events in the order of its methods, wherever in the tree their arcs stand.
        declared = behaviour.payloads if behaviour.place is not None else ()
        self.events: tuple[str, ...] = tuple(dict.fromkeys((*(name for name in declared if name in found), *found)))
        self.cache: dict[Any, Any] = {}
        """The engine's cache of configurations and their plans, bounded by the engine."""
        self.notes: dict[Any, Any] = {}
        """What higher layers computed once for this chart."""

    def __repr__(self) -> str:
        return f"<Chart {self.name}: {len(self.nodes) - 1} states>"

    @property
    def id(self) -> str | None:
        return self.config.id

    @property
    def name(self) -> str:
        """The machine's name in messages."""
        return f"machine {self.config.id!r}" if self.config.id else "the machine"

    @cached_property
    def definition(self) -> str:
        """A hash of what stored runs depend on: states, timers, services and context fields."""
        skeleton = [
            [
                node.path,
                node.kind,
                node.deep,
                [[delay.key, delay.ms] for delay in node.delays],
                [invocation.id for invocation in node.invocations],
            ]
            for node in self.nodes
        ]
        text = json.dumps([skeleton, _context_schema(self.behaviour)], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def overlaps(self) -> bool:
        """Whether a transition leads to states of which only one can be active. As in XState, both are then."""
        leads = [arc.targets for node in self.nodes for arcs in (*node.on.values(), node.always) for arc in arcs]
        leads += [node.initial for node in self.nodes]
        return any(one.excludes(other) for targets in leads for one, other in combinations(targets, 2))

    def name_of(self, node: Node) -> str:
        """The dotted path of a state, or `#id` if keys that contain dots make that ambiguous."""
        return node.path if self.by_path[node.path] is node else f"#{node.id}"

    def node_of(self, name: str) -> Node | None:
        """The state with this `name_of`."""
        return self.by_path.get(name) or self.by_id.get(name.removeprefix("#"))

    def start_context(self) -> Any:
        """A new start context. A dict starts with the config's `context`."""
        start = self.behaviour.context.initial()
        if isinstance(self.behaviour.context, DictContext) and self.config.context:
            return {**copied(self.config.context), **start}
        return start

    def find(self, reference: str) -> Node | None:
        """The state that `reference` names: `#id`, a dotted path, or a key that only one state has."""
        if reference.startswith("#"):
            return self.by_id.get(reference[1:])
        if reference and reference in self.by_path:
            return self.by_path[reference]
        named = [node for node in self.nodes[1:] if node.key == reference]
        return named[0] if len(named) == 1 else None


def _context_schema(behaviour: Behaviour) -> Any:
    if not isinstance(behaviour.context, TypedContext):
        return None
    try:
        return pydantic.TypeAdapter(behaviour.context.type).json_schema(schema_generator=quiet())
    except Exception:  # noqa: BLE001, RUF100 - a field type without a JSON schema; its name must do
        return list(behaviour.context.fields or ())


def compile_chart(config: FsmConfig, behaviour: Behaviour | None = None) -> Chart:
    """Resolve every name in a checked `config` to its function in `behaviour`.

    Raises:
        DefinitionError: listing every unresolved name with its JSON path and the nearest known name.
    """
    return _Compiler(config, behaviour or Behaviour()).chart()


class _Compiler:
    """One compilation. It continues after a problem, so that all of them are reported at once."""

    def __init__(self, config: FsmConfig, behaviour: Behaviour) -> None:
        self.config, self.behaviour = config, behaviour
        self.tree = Tree(config)
        self.problems: list[Problem] = []
        self.nodes: list[Node] = []

    def chart(self) -> Chart:
        for bare in self.tree.nodes:
            parent = self.nodes[bare.parent.index] if bare.parent is not None else None
            config = bare.config
            node = Node(bare.index, bare.key, bare.path, bare.id, config.kind, parent, config, bare.where)
            if bare.parent is None and not config.final:
                node.kind = "parallel" if config.type == "parallel" else "compound"
            node.deep = config.history == "deep"
            self.nodes.append(node)
        for bare, node in zip(self.tree.nodes, self.nodes, strict=True):
            self._link(bare, node)
        for bare, node in zip(self.tree.nodes, self.nodes, strict=True):
            self._fill(bare, node)
        for node in self.nodes:
            for event, arcs in node.on.items():
                for number, arc in enumerate(arcs):
                    arc.forbids = arc.config.forbids and self._hides(arc, event, arcs[number + 1 :])
        if self.problems:
            name = f"machine {self.config.id!r}" if self.config.id else "the config"
            raise DefinitionError(name, self.problems)
        return Chart(self.config, self.behaviour, tuple(self.nodes))

    def _hides(self, arc: Arc, event: str, behind: tuple[Arc, ...]) -> bool:
        """Whether an arc that does nothing forbids its event: it has a reason, or keeps another arc from taking it."""
        if behind or "reason" in (arc.config.meta or {}):
            return True
        own = [name for name in arc.source.wildcards if name != event and matches_descriptor(event, name)]
        return bool(own) or any(above.arcs_for(event) for above in arc.source.up_to(None))

    def _link(self, bare: TreeNode, node: Node) -> None:
        below = [self.nodes[child.index] for child in bare.children.values()]
        node.children = tuple(child for child in below if child.kind != "history")
        node.histories = tuple(child for child in below if child.kind == "history")
        last = bare
        while last.children:
            last = list(last.children.values())[-1]
        node.last = last.index
        if node.kind == "compound" and node.config.initial is not None:
            found = [self.tree.initial_of(bare, target) for target in node.config.initial.target]
            node.initial = tuple(self.nodes[hit.index] for hit in found if hit is not None)

    def _fill(self, bare: TreeNode, node: Node) -> None:
        config, where = node.config, node.where
        if node.kind == "history" and node.parent is not None:
            named = [self.tree.resolve(bare, target) for target in config.target or ()]
            default = node.parent.initial if node.parent.kind == "compound" else (node.parent,)
            node.initial = tuple(self.nodes[hit.index] for hit in named if hit is not None) or default
        if config.initial is not None:
            node.initial_calls = self._calls(config.initial.actions, f"{where}.initial.actions")
        node.entry = self._calls(config.entry, f"{where}.entry")
        node.exit = self._calls(config.exit, f"{where}.exit")
        for event, arcs in config.on.items():
            self._add(bare, node, event, arcs, f"{where}.on{step(event)}")
        node.always = tuple(self._arcs(bare, node, "", config.always, f"{where}.always"))
        self._put(bare, node, node.done_event, config.on_done, f"{where}.onDone")
        delays: list[Delay] = []
        for key, arcs in config.after.items():
            delay = self._delay(node, key, f"{where}.after{step(key)}")
            delays.append(delay)
            self._add(bare, node, delay.event, arcs, f"{where}.after{step(key)}")
        node.delays = tuple(delays)
        invocations: list[Invocation] = []
        for number, service in enumerate(config.invoke):
            at = f"{where}.invoke" + (f"[{number}]" if len(config.invoke) > 1 else "")
            invocation = self._invocation(node, number, service, at)
            invocations.append(invocation)
            self._put(bare, node, invocation.done, service.on_done, f"{at}.onDone")
            self._put(bare, node, invocation.error, service.on_error, f"{at}.onError")
        node.invocations = tuple(invocations)
        node.wildcards = tuple(sorted((name for name in node.on if is_wildcard(name)), key=len, reverse=True))

    def _add(self, bare: TreeNode, node: Node, event: str, configs: tuple[TransitionConfig, ...], where: str) -> None:
        arcs = tuple(self._arcs(bare, node, event, configs, where))
        if arcs:
            node.on[event] = node.on.get(event, ()) + arcs

    def _put(self, bare: TreeNode, node: Node, event: str, configs: tuple[TransitionConfig, ...], where: str) -> None:
        """Like `_add`, but as in XState `onDone` and `onError` replace what `on` has for the same event."""
        if configs:
            node.on.pop(event, None)
            self._add(bare, node, event, configs, where)

    def _arcs(
        self, bare: TreeNode, node: Node, event: str, configs: tuple[TransitionConfig, ...], where: str
    ) -> Iterable[Arc]:
        for number, config in enumerate(configs):
            at = f"{where}[{number}]" if len(configs) > 1 else where
            found = [self.tree.resolve(bare, target) for target in config.target or ()]
            targets = tuple(self.nodes[hit.index] for hit in found if hit is not None)
            guard = None if config.guard is None else self._guard(config.guard, f"{at}.guard")
            calls = self._calls(config.actions, f"{at}.actions")
            yield Arc(node, event, targets, guard, calls, config.reenter, config, at)

    def _calls(self, named: tuple[Named, ...], where: str) -> tuple[Call, ...]:
        calls: list[Call] = []
        for number, name in enumerate(named):
            at = f"{where}[{number}]" if len(named) > 1 else where
            code = self._known(name.type, self.behaviour.actions, "action", at)
            if code is not None:
                calls.append(Call.of(code, name.params, at))
        return tuple(calls)

    def _guard(self, named: Named, where: str) -> Call | None:
        code = self._known(named.type, self.behaviour.guards, "guard", where)
        if code is None:
            return None
        if isinstance(code, StepCode):
            if code.is_async:
                self.problems.append(
                    Problem(where, f"the guard {named.type!r} is async", "a guard decides at once: a plain function")
                )
            return Call.of(code, named.params, where)
        node = self._in(code)
        if node is None:
            known = [*self.tree.by_path, *(f"#{name}" for name in self.tree.by_id)]
            self.problems.append(Problem(where, f"unknown state {code.ref!r}", did_you_mean(code.ref, known)))
            return None
        also = None if code.also is None else self._guard(Named(type=code.also, params=named.params), where)
        return Call.in_state(named.type, self.nodes[node.index], where, also)

    def _in(self, state: InState) -> TreeNode | None:
        return self.tree.by_id.get(state.ref[1:]) if state.ref.startswith("#") else self.tree.by_path.get(state.ref)

    def _delay(self, node: Node, key: str, where: str) -> Delay:
        number = milliseconds(key)
        if number is not None:
            return Delay(f"xstate.after.{number:.15g}.{node.id}", key, number, None)
        given = self._known(key, self.behaviour.delays, "delay", where)
        event = f"xstate.after.{key}.{node.id}"
        if key not in self.behaviour.delays:
            return Delay(event, key, None, None)
        if isinstance(given, int | float | timedelta) and (number := milliseconds(given)) is not None:
            return Delay(event, key, number, None)
        if not isinstance(given, StepCode) and not callable(given):
            hint = "it should be milliseconds, a timedelta, or a function that gives one"
            self.problems.append(Problem(where, f"the delay {key!r} is {given!r:.60}", hint))
            return Delay(event, key, None, None)
        try:
            code = given if isinstance(given, StepCode) else named_code(key, given, role="guard")
        except TypeError as error:
            self.problems.append(Problem(where, f"the delay {key!r} {error}"))
            return Delay(event, key, None, None)
        return Delay(event, key, None, Call.of(code, None, where))

    def _invocation(self, node: Node, number: int, config: InvokeConfig, where: str) -> Invocation:
        function = self._known(config.src, self.behaviour.services, "service", f"{where}.src")
        code: ServiceCode | None = None
        if function is not None:
            try:
                code = service_code(config.src, function)
            except TypeError as error:
                self.problems.append(Problem(f"{where}.src", f"the service {config.src!r} {error}"))
        return Invocation(config.id or f"{number}.{node.id}", code, config, where)

    def _known(self, name: str, known: Mapping[str, Any], role: str, where: str) -> Any:
        """The function called `name`; if there is none, None and a problem."""
        if name in known:
            return known[name]
        hint = did_you_mean(name, known, otherwise="given are") or f"no {role}s are given"
        self.problems.append(Problem(where, f"unknown {role} {name!r}", hint))
        return None


def milliseconds(delay: object) -> float | None:
    """`delay` in milliseconds: a finite number, a numeric string, or a timedelta. None for anything else."""
    if isinstance(delay, timedelta):
        return delay.total_seconds() * 1000
    if isinstance(delay, bool) or not isinstance(delay, int | float | str):
        return None
    try:
        number = float(delay)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
