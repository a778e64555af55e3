"""Compiling a class body: its declarations become an `FsmConfig`, its methods a `Behaviour`."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, TypeVar

from fsmvoice.errors import DefinitionError, Problem, did_you_mean
from fsmvoice.machine.checks import check_answers, check_forbidden, check_tool_names, check_unreached
from fsmvoice.machine.code import action_code, applied, effect_method, service_method
from fsmvoice.machine.context_fields import context_problems
from fsmvoice.machine.definition import Definition
from fsmvoice.machine.doubts import warn
from fsmvoice.machine.edges import Edge
from fsmvoice.machine.guarding import Guards
from fsmvoice.machine.hooks import Hook
from fsmvoice.machine.keywords import Keywords, checked_keywords, doubt_locale
from fsmvoice.machine.locales import locale_files
from fsmvoice.machine.members import Members, inherited_marks
from fsmvoice.machine.payload import parameters_of, shape_of, written
from fsmvoice.machine.place import Place, here, place_of
from fsmvoice.machine.state_tree import StateNode, StateTree, target_from
from fsmvoice.machine.states import AnyState, History
from fsmvoice.machine.texts import check_slots
from fsmvoice.machine.transitions import Spoken, Transition, is_transition
from fsmvoice.model.behaviour import Behaviour, StepCode
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.context import ContextType, DictContext, context_type_for
from fsmvoice.model.effect import EffectCode
from fsmvoice.model.naming import snake_case
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.model.service import ServiceCode
from fsmvoice.model.slots import lone_bracket, slots_of
from fsmvoice.voice.reply import make_speech


class Compilation:
    """The compilation of one class. It collects problems, to report all of them at once."""

    cls: type
    members: Members
    keywords: Keywords
    names: Mapping[str, Any]
    context: ContextType
    id: str
    tree: StateTree
    guards: Guards

    def __init__(
        self, cls: type, members: Members, keywords: Keywords, *, context: Any, names: Mapping[str, Any]
    ) -> None:
        self.cls, self.members, self.names = cls, members, names
        self.problems: list[Problem] = list(members.problems)
        self.keywords = checked_keywords(keywords, str(here()), self.problems)
        self.context = self._context_type(context)
        self.id = snake_case(cls.__name__).strip("_") if self.keywords.id is None else self.keywords.id
        self.tree = StateTree(cls.__name__, members.states(), members.refused)
        self.guards = Guards(cls, members.namespace, names, self.context, self.problems, members.refused)
        self.edges: list[Edge] = []
        self.actions: dict[str, StepCode] = {}
        self.services: dict[str, ServiceCode] = {}
        self.effects: dict[str, EffectCode] = {}
        self.events: dict[str, Place] = {}
        self.docs: dict[str, str] = {}
        self.spoken: dict[str, Spoken] = {}
        self.parameters: dict[str, tuple[Place, Sequence[Parameter]]] = {}

    def run(self, place: Callable[[Any], Any]) -> Definition:
        """Compile the class.

        Raises:
            DefinitionError: listing everything that is wrong with it.
        """
        for node in self.tree.states:
            self._state(node)
        for name, event in self.members.transitions():
            self._event(name, event)
        for name, function in self.members.functions():
            for hook in inherited_marks(self.cls, name)[0]:
                self._hook(name, function, hook)
        for name, effect in self.members.effects():
            parameters = parameters_of(effect.function, self.names, self.problems)
            self.effects[name] = effect_method(name, effect.function, parameters)
            if not inspect.iscoroutinefunction(effect.function):
                at = place_of(effect.function)
                self.problems.append(Problem(str(at), f"the effect {name!r} is not async", "write async def"))
        self._forbid()
        self.problems += check_tool_names(self.id or None, self.events, self.spoken)
        self.problems += check_unreached(self.edges)
        self.problems += check_answers(self.edges, self.spoken)
        problems = list(dict.fromkeys([*self.problems, *self.tree.problems]))
        if problems:
            raise DefinitionError(self.cls.__name__, sorted(problems, key=_line))
        definition = self._definition(place)
        warn(definition.chart, self.tree, self.edges, self.parameters)
        return definition

    def _context_type(self, context: Any) -> ContextType:
        try:
            found = context_type_for(None if isinstance(context, TypeVar) else context, names=self.names)
            self.problems += context_problems(found, str(here()))
            return found
        except (TypeError, NameError) as error:
            self.problems.append(Problem(str(here()), f"VoiceMachine[...]: {error}"))
            return DictContext()

    def _state(self, node: StateNode) -> None:
        info = node.info
        assert info is not None  # only the root, which is not among `tree.states`, has none
        data = node.data
        if node.kind in ("final", "parallel"):
            data["type"] = node.kind
        doc = own_doc(node.declared) if isinstance(node.declared, type) else ""
        if doc:
            data["description"] = doc
        if info.tags:
            data["tags"] = list(info.tags)
        if info.prompt:
            data["meta"] = {"prompt": info.prompt[0] if len(info.prompt) == 1 else list(info.prompt)}
            what = f"the prompt of {node.path!r}"
            self.problems += check_slots(info.prompt, info.place, what, self.context)
        if info.allow:
            data.setdefault("meta", {})["checks"] = dict(info.allow)
        if isinstance(node.declared, History):
            data["type"] = "history"
            data["history"] = "deep" if node.declared.deep else "shallow"
            if node.declared.target is not None:
                target = self.tree.resolve(node.declared.target, info.place, "target")
                if target is not None:
                    data["target"] = target_from(node, target, self.id or "(machine)")

    def _event(self, name: str, transition: Transition[..., Any]) -> None:
        event, place = transition.event, transition.arcs[0].place
        function = transition.function
        parameters = parameters_of(function, self.names, self.problems, event=event)
        others = [arc.event for arc in transition.arcs if arc.event != event]
        if others:
            message = f"{name!r} is two events, {event} and {others[0]}"
            self.problems.append(Problem(str(place), message, "write a method for each; they may call one function"))
        if event in ("", "*") or event.endswith(".*") or event.startswith("xstate."):
            hint = "an event's name says one thing, such as 'ORDER'"
            self.problems.append(Problem(str(place), f"{event!r} can't be an event's name", hint))
        if event in self.parameters:
            self._check_payload(event, name, place, parameters)
        self.events.setdefault(event, place)
        self.parameters.setdefault(event, (place_of(function), parameters))
        self.docs.setdefault(event, inspect.getdoc(function) or "")
        self.actions[name] = action_code(name, function, payload=bool(parameters))
        self._spoken(event, transition.spoken, parameters)
        for arc in transition.arcs:
            guard = self.guards.name(arc.guard, arc.place, event, parameters)
            sources = arc.source if isinstance(arc.source, list | tuple) else (arc.source,)
            if not sources:
                hint = "name the states in which it is possible; ANY means every state"
                self.problems.append(Problem(str(arc.place), f"source: {event} has no source", hint))
            for ref in sources:
                source = self.tree.root if isinstance(ref, AnyState) else self._source(ref, arc.place)
                target = None if arc.target is None else self.tree.resolve(arc.target, arc.place, "target")
                if source is not None:
                    edge = Edge(source, event, target, guarded=guard is not None, place=arc.place)
                    written_arc = self._arc(edge, guard, name)
                    if arc.reenter:
                        written_arc["reenter"] = True
                    source.data.setdefault("on", {}).setdefault(event, []).append(written_arc)

    def _check_payload(self, event: str, name: str, place: Place, parameters: Sequence[Parameter]) -> None:
        where, before = self.parameters[event]
        if shape_of(before) != shape_of(parameters):
            self.problems.append(
                Problem(
                    str(place),
                    f"{event} carries {written(parameters)} in {name!r}, but {written(before)} in line {where.line}",
                    "one event has one payload",
                )
            )

    def _spoken(self, event: str, spoken: Spoken | None, parameters: Sequence[Parameter]) -> None:
        if spoken is None:
            return
        if event in self.spoken and self.spoken[event] != spoken:
            hint = f"keep the one in line {self.spoken[event].place.line}"
            self.problems.append(Problem(str(spoken.place), f"{event} is @spoken twice", hint))
        if spoken.answers not in (None, "yes", "no"):
            message = f"answers={spoken.answers!r}"
            self.problems.append(Problem(str(spoken.place), message, "it is 'yes' or 'no'"))
        self.spoken.setdefault(event, spoken)
        names = [parameter.name for parameter in parameters]
        hints = {parameter.name: parameter.annotation for parameter in parameters}
        for key, text in (("says", spoken.says), ("confirm", spoken.confirm), ("working", spoken.working)):
            if text is not None:
                what = f"{key} of {event}"
                self.problems += check_slots([text], spoken.place, what, self.context, names, hints=hints)
        self._check_utterances(event, spoken, names)

    def _check_utterances(self, event: str, spoken: Spoken, names: Sequence[str]) -> None:
        for utterance in spoken.utterances:
            lone = lone_bracket(utterance)
            if lone:
                message = f"the utterance {utterance!r}: {lone!r} is unmatched"
                self.problems.append(Problem(str(spoken.place), message, "write (one|other), [optional], {slot}"))
                continue
            for _, slot, _ in slots_of(utterance):
                if slot is not None and slot not in names:
                    hint = did_you_mean(slot, names, otherwise="its parameters are") or "it carries nothing"
                    message = f"the utterance {utterance!r}: {event} has no parameter {slot!r}"
                    self.problems.append(Problem(str(spoken.place), message, hint))

    def _hook(self, name: str, function: FunctionType, hook: Hook) -> None:
        node = self._source(hook.source, hook.place, _ROLES.get(hook.kind, "source"))
        parameters = parameters_of(function, self.names, self.problems)
        if parameters:
            hint = "it runs without an event, so nothing is carried; read self.context"
            self.problems.append(Problem(str(place_of(function)), f"{name!r} takes {written(parameters)}", hint))
        role = "done" if hook.kind == "invoke" else "target"
        target = None if hook.target is None else self.tree.resolve(hook.target, hook.place, role)
        error = None if hook.error is None else self.tree.resolve(hook.error, hook.place, "error")
        guard = self.guards.name(hook.guard, hook.place, "", ())
        if node is None:
            return
        if hook.kind == "invoke":
            self._service(name, function, node, (target, error), hook)
            return
        self.actions[name] = action_code(name, function, payload=False)
        if hook.kind in ("entry", "exit"):
            node.data.setdefault(hook.kind, []).append(name)
            return
        arc = self._arc(Edge(node, "", target, guarded=guard is not None, place=hook.place), guard, name)
        if hook.says is not None:
            arc["meta"] = {"says": hook.says}
            self.problems += check_slots([hook.says], hook.place, f"says of {name!r}", self.context)
        if hook.kind == "done":
            if node.kind not in ("compound", "parallel"):
                hint = "use @on_enter, or give it states of its own"
                self.problems.append(Problem(str(hook.place), f"{node.path!r} can't be done: it is one state", hint))
            node.data.setdefault("onDone", []).append(arc)
        elif hook.kind == "always":
            node.data.setdefault("always", []).append(arc)
        else:
            finite = math.isfinite(hook.milliseconds)
            if not finite or hook.milliseconds <= 0:
                message = f"after: {hook.milliseconds / 1000:g} seconds" if finite else "after: this is not a delay"
                hint = "a delay is positive; use @always for at once" if finite else "give seconds, or a timedelta"
                self.problems.append(Problem(str(hook.place), message, hint))
                return
            node.data.setdefault("after", {}).setdefault(f"{hook.milliseconds:.15g}", []).append(arc)

    def _service(
        self,
        name: str,
        function: FunctionType,
        node: StateNode,
        leads_to: tuple[StateNode | None, StateNode | None],
        hook: Hook,
    ) -> None:
        target, error = leads_to
        self.services[name] = service_method(name, function)
        result = f"{name}.result"
        self.actions[result] = applied(name, self.context.known)
        service: dict[str, Any] = {"src": name, "id": name}
        service["onDone"] = self._arc(Edge(node, "", target, guarded=False, place=hook.place), None, result)
        if hook.says is not None:
            service["onDone"]["meta"] = {"says": hook.says}
            self.problems += check_slots([hook.says], hook.place, f"says of {name!r}", self.context)
        if hook.error is not None:
            service["onError"] = self._arc(Edge(node, "", error, guarded=False, place=hook.place), None)
        if hook.on_restart != "restart":
            service["onRestart"] = hook.on_restart
        node.data.setdefault("invoke", []).append(service)

    def _forbid(self) -> None:
        forbidden = list(self.members.forbidden())
        refused = [value.event for value in self.members.refused.values() if is_transition(value)]
        self.problems += check_forbidden(forbidden, [*self.events, *refused])
        for item in forbidden:
            node = self._source(item.source, item.place)
            what = f"the reason of forbid({item.event!r})"
            hints = {
                parameter.name: parameter.annotation for parameter in self.parameters.get(item.event, (None, ()))[1]
            }
            self.problems += check_slots([item.reason], item.place, what, self.context, hints, hints=hints)
            if node is not None:
                self.edges.append(Edge(node, item.event, None, guarded=False, place=item.place, forbids=True))
                arcs = node.data.setdefault("on", {}).setdefault(item.event, [])
                arcs.append({"meta": {"reason": item.reason}})

    def _source(self, ref: object, place: Place, role: str = "source") -> StateNode | None:
        node = self.tree.resolve(ref, place, role)
        if node is not None and node.kind == "history":
            self.problems.append(Problem(str(place), f"{role}: {node.path!r} is a History", "it is only a target"))
            return None
        return node

    def _arc(self, edge: Edge, guard: str | None, *actions: str) -> dict[str, Any]:
        """The config of an arc, which is recorded in `edges`."""
        self.edges.append(edge)
        arc: dict[str, Any] = {}
        if edge.target is not None:
            arc["target"] = target_from(edge.source, edge.target, self.id or "(machine)")
        if guard is not None:
            arc["guard"] = guard
        if actions:
            arc["actions"] = list(actions)
        return arc

    def _definition(self, place: Callable[[Any], Any]) -> Definition:
        data = {**self.tree.root.data, **_with_states(self.tree.root)}
        if self.id:
            data["id"] = self.id
        data["version"] = self.keywords.version or "1"
        doc = own_doc(self.cls)
        if doc:
            data["description"] = doc
        start = self._start_context()
        if start:
            data["context"] = start
        data["meta"] = self._meta()
        locale = self.keywords.locale or "en"
        doubt_locale(locale, here(), self.cls.__name__)
        behaviour = Behaviour(
            actions=self.actions,
            guards=self.guards.codes,
            services=self.services,
            effects=self.effects,
            migrations=tuple(self.members.migrations()),
            payloads={
                event: Payload(event, fields, doc=self.docs[event]) for event, (_, fields) in self.parameters.items()
            },
            context=self.context,
            speak=make_speech(locale),
            locales=locale_files(self.cls, self.id),
            place=place,
        )
        return Definition(self.cls.__name__, FsmConfig.model_validate(data), behaviour, self.tree)

    def _start_context(self) -> dict[str, Any]:
        try:
            return self.context.dump(self.context.initial(), private=False)
        except Exception:  # a field without a default, or a failing factory, is reported when an instance is made
            return {}

    def _meta(self) -> dict[str, Any]:
        events = {event: self._event_meta(event) for event in self.events}
        meta: dict[str, Any] = {"events": {event: said for event, said in events.items() if said}}
        if self.guards.reasons:
            meta["guards"] = {name: {"reason": reason} for name, reason in self.guards.reasons.items()}
        if self.keywords.locale:
            meta["locale"] = self.keywords.locale
        if self.keywords.restart_when_done:
            meta["restartWhenDone"] = True
        return {key: value for key, value in meta.items() if value}

    def _event_meta(self, event: str) -> dict[str, Any]:
        said: dict[str, Any] = {}
        spoken = self.spoken.get(event)
        if spoken is not None:
            said = {key: getattr(spoken, key) for key in _SPOKEN if getattr(spoken, key)}
            if spoken.utterances:
                said["utterances"] = list(spoken.utterances)
            if not spoken.tool:
                said["tool"] = False
            if spoken.allow:
                said["checks"] = dict(spoken.allow)
        if self.docs[event]:
            said["description"] = self.docs[event]
        return said


_ROLES = {"entry": "@on_enter", "exit": "@on_exit", "done": "@on_done", "invoke": "during"}
_SPOKEN = ("label", "says", "answers", "confirm", "destructive", "irreversible", "working")


def _with_states(node: StateNode) -> dict[str, Any]:
    """The `initial` and `states` keys of a state's config."""
    data: dict[str, Any] = {}
    if node.kind == "compound":
        data["initial"] = next(key for key, child in node.children.items() if child.info and child.info.initial)
    data["states"] = {
        key: {**child.data, **(_with_states(child) if child.children else {})} for key, child in node.children.items()
    }
    return data


def own_doc(cls: type) -> str:
    """The docstring of a class, or else of its nearest base outside this package."""
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] == __name__.partition(".")[0] or base is object:
            break
        if base.__dict__.get("__doc__"):
            return inspect.cleandoc(base.__dict__["__doc__"])
    return ""


def _line(problem: Problem) -> tuple[str, int]:
    file, _, line = problem.where.rpartition(":")
    return (file, int(line)) if line.isdigit() else (problem.where, 0)
