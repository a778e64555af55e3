"""`VoiceMachine`: the base class of users' machines."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Mapping
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from typing_extensions import TypeVar

from fsmvoice.engine.clock import Clock
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.stepper import SYSTEM_CLOCK
from fsmvoice.engine.verdicts import Blocked
from fsmvoice.errors import Suspended, UnknownName, did_you_mean
from fsmvoice.exporters.xstate import to_xstate
from fsmvoice.machine.definition import Definition
from fsmvoice.machine.detached import DETACHED
from fsmvoice.machine.keywords import Keywords
from fsmvoice.machine.machine_type import MachineType, definition_of, set_keywords
from fsmvoice.machine.picture import OnBoth, bundle_of, svg_of
from fsmvoice.machine.placing import run_state_at
from fsmvoice.machine.running import C, Running, actor_of, open_step_of, placed, start
from fsmvoice.machine.start_over import StartOver
from fsmvoice.machine.states import StateRef
from fsmvoice.machine.suspending import suspended
from fsmvoice.machine.twins import pickled, twin_of, unpickle
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.effect import CALL_KEY
from fsmvoice.model.versions import load_run_state

if TYPE_CHECKING:
    from fsmvoice.voice.heard import Heard

    _Meta = ABCMeta  # type checkers check the keywords of a class statement only with a known metaclass
else:
    _Meta = MachineType

V = TypeVar("V")


class FromDefinition(Generic[V]):
    """A class attribute computed from the class's definition."""

    def __init__(self, read: Callable[[Definition], V]) -> None:
        self._read = read

    def __get__(self, obj: object, owner: type[Running[Any]]) -> V:
        return self._read(definition_of(owner))


class VoiceMachine(Running[C], metaclass=_Meta):
    """A state machine to talk to. Subclass it, and declare states and methods with `@transition`.

    `VoiceMachine[CoffeeContext]` gives the type of its context: a pydantic model, a dataclass, or (by default) a dict.
    An instance is a plain object that needs no event loop and no server. It enters its initial state after `__init__`.

    Keywords of the class statement:
        id: the prefix of its tool names. Defaults to the class's name in snake_case.
        version: the version of the definition, for stored sessions. Inherited.
        locale: the language of its texts. Defaults to English. Inherited.
        restart_when_done: whether, once it is done, an event of the initial state starts it again. Inherited.
    """

    config: ClassVar[FromDefinition[FsmConfig]] = FromDefinition(lambda definition: definition.config)
    """The machine as data, with its texts and the names of its functions."""
    chart: ClassVar[FromDefinition[Chart]] = FromDefinition(lambda definition: definition.chart)
    """The compiled machine that the engine runs."""
    _repr_svg_: ClassVar[OnBoth[str | None]] = OnBoth(svg_of)
    _repr_mimebundle_: ClassVar[OnBoth[dict[str, str]]] = OnBoth(bundle_of)

    def __init_subclass__(
        cls,
        *,
        id: str | None = None,
        version: str | None = None,
        locale: str | None = None,
        restart_when_done: bool | None = None,
    ) -> None:
        super().__init_subclass__()
        set_keywords(cls, Keywords(id, version, locale, restart_when_done))

    def __init__(self, context: C | None = None, *, clock: Clock | None = None) -> None:
        """Create a machine in its initial state.

        Args:
            context: the start context. Defaults to a new one.
            clock: the time source of `@after`, such as a `SimulatedClock` in tests. Defaults to the system clock.

        Raises:
            ContextError: if the context does not match its type, or can't be created without values.
        """
        _check_clock(type(self), clock)
        self.__fsmvoice_run__.clock = clock
        if context is not None:
            self.__fsmvoice_run__.context = definition_of(type(self)).behaviour.context.check(context)

    def __fsmvoice_chart__(self) -> Chart:
        return definition_of(type(self)).chart

    @classmethod
    async def started(cls, *args: Any, **kwargs: Any) -> Self:
        """Create a machine whose initial state has async `@on_enter` methods that wait."""
        machine = cls.__new__(cls)
        cls.__init__(machine, *args, **kwargs)
        await start(machine)
        return machine

    @classmethod
    def at(cls, state: StateRef, context: C | None = None, /, *, clock: Clock | None = None, **fields: Any) -> Self:
        """A machine placed in a state; nothing runs but the timers of that state, from now on. For tests.

        Args:
            state: the state; states below and beside it are where they start.
            context: what it knows; a new one if not given.
            clock: what timers go by, such as a `SimulatedClock`; the system's clock if not given.
            fields: fields of the context to set. One that is called `clock` needs a whole `context`.

        Raises:
            UnknownName: for a state or a field that the machine does not have.
            ContextError: for a value that does not fit its field.
        """
        _check_clock(cls, clock)
        path = definition_of(cls).node(state).path
        now = (clock or SYSTEM_CLOCK).now()
        return placed(cls, run_state_at(cls.chart, path, fields, context=context, now=now), clock=clock)

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any], *, clock: Clock | None = None) -> Self:
        """The machine that `snapshot.persist()` was taken of; nothing runs.

        One of an earlier version goes on where it still fits, else its migrations are run.

        Args:
            snapshot: what `persist()` gave.
            clock: what timers go by; the system's clock if not given.

        Raises:
            RestoreError: if it does not fit this class.
        """
        _check_clock(cls, clock)
        return placed(cls, load_run_state(cls.chart, snapshot), clock=clock)

    @classmethod
    def to_xstate(cls) -> dict[str, Any]:
        """The machine as a config for XState 5, to be run by `createMachine(json).provide({...})`."""
        return to_xstate(cls.config)

    @property
    def snapshot(self) -> Snapshot[C]:
        """An immutable view of the current state."""
        actor, run = actor_of(self), DETACHED.get()
        if run is None or run.machine is not self:
            return actor.snapshot
        return Snapshot(actor.chart, actor.run_state._replace(context=self.context), actor)

    @property
    def state(self) -> str | dict[str, Any]:
        """XState's state value: the name of the active state, or a dict for nested and parallel states."""
        return self.snapshot.value

    @property
    def available(self) -> tuple[str, ...]:
        """The events that are possible now, in declaration order."""
        return _now(self).available_events

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        """The events that the current state handles but a guard or a forbid blocks, each with the reason."""
        return _now(self).blocked_events

    @property
    def start_over(self) -> StartOver[C]:
        """Start over: `await machine.start_over()` or `machine.start_over.sync()`."""
        return StartOver(self)

    @property
    def idempotency_key(self) -> str:
        """Identifies the work of the current step, service or effect, for calls to external services.

        It is unique, and unchanged when the work is repeated after a crash, a conflict or a repeated request. Without a
        store it is different each time.

        Raises:
            LookupError: outside of a step, a service and an effect.
        """
        step = open_step_of(self)
        if step is not None:
            return step.idempotency_key
        key = CALL_KEY.get(None)
        if key is None:
            raise LookupError("idempotency_key is available only in a step, a service or an effect")
        return key

    def matches(self, state: StateRef) -> bool:
        """Whether a state is active.

        Raises:
            UnknownName: if the machine has no such state.
        """
        path = definition_of(type(self)).node(state).path
        return any(node.path == path for node in self.snapshot.nodes)

    def say(self) -> str:
        """The spoken status: the current state, and what can be done."""
        speak = type(self).chart.behaviour.speak
        return "" if speak is None else speak.status(_now(self))

    def hear(self, text: str, *, locale: str | None = None) -> Heard:
        """Find the event that `text` asks for in this state. No event is sent: `send` the event of a `Match`.

        Args:
            locale: the language of `text`. Defaults to the machine's own.

        Raises:
            MissingExtra: if the machine has templates and hassil is not installed.
            DefinitionError: if a template is invalid.
        """
        # Imported on first use: most machines are used by hosts that do the hearing themselves.
        found: Heard = import_module("fsmvoice.voice.match").hear(_now(self), text, locale=locale)
        return found

    async def send(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Send an event by name, or as a mapping: `{"type": "ORDER", "drink": "latte"}`.

        A refusal is returned as an outcome, not raised.

        Raises:
            UnknownName: if no transition has the event.
            ActionFailed: if an action, hook or guard raised; nothing has changed.
        """
        actor = actor_of(self)
        name = event if isinstance(event, str) else _named(event)
        if name not in actor.chart.payloads:
            raise _unknown(type(self), name)
        return await actor.send(event, **payload)

    def send_sync(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Like `send`, without an event loop.

        Raises:
            Suspended: if some code has to wait; nothing has changed.
        """
        actor = self.__fsmvoice_run__.actor or actor_of(self)
        name = event if type(event) is str or isinstance(event, str) else _named(event)
        schema = actor.chart.payloads.get(name)
        if schema is None:
            raise _unknown(type(self), name)
        try:
            if payload or schema.parameters or name is not event:
                return actor.send_sync(event, **payload)
            return actor.fire_sync(name)
        except Suspended as error:
            raise suspended(error, self, name, f"send({name!r}, ...)") from None

    async def settled(self) -> None:
        """Wait until no service or effect is running and all their events are handled. For tests.

        Raises:
            ServiceFailed: if a service failed meanwhile and no transition handles its error.
        """
        await actor_of(self).settled()

    async def __aenter__(self) -> Self:
        await actor_of(self).resume()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await actor_of(self).aclose()

    def __copy__(self) -> Self:
        """The same run, with a context of its own; it goes its own way from here."""
        return twin_of(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """As a copy, whose own attributes are copied too; the clock is shared."""
        return twin_of(self, memo)

    def __getstate__(self) -> dict[str, Any]:
        return {**pickled(self), "snapshot": self.snapshot.persist()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        unpickle(self, state)
        self.__fsmvoice_run__.stand = load_run_state(type(self).chart, state["snapshot"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} in {self.state!r}>"


def _now(machine: VoiceMachine[C]) -> Snapshot[C]:
    """The current snapshot, after stepping due timers."""
    actor = actor_of(machine)
    actor.catch_up()
    return actor.snapshot


def _check_clock(cls: type[VoiceMachine[Any]], clock: object) -> None:
    if clock is not None and not callable(getattr(clock, "now", None)):
        hint = "give one, such as a SimulatedClock"
        if "clock" in (definition_of(cls).behaviour.context.fields or ()):
            hint += f"; the context field of that name is set by a whole context: {cls.__name__}.at(state, context)"
        raise TypeError(f"clock={clock!r:.60} is no clock; {hint}")


def _named(event: Mapping[str, Any]) -> str:
    name = event.get("type") if isinstance(event, Mapping) else None  # pyright: ignore[reportUnnecessaryIsInstance] - users send anything
    if not isinstance(name, str):
        raise TypeError(f"an event is a name or a mapping with a 'type', not {event!r:.100}")
    return name


def _unknown(cls: type[VoiceMachine[Any]], event: str) -> UnknownName:
    hint = did_you_mean(event, cls.chart.payloads, otherwise="its events are")
    return UnknownName(f"{cls.__name__} has no event {event!r}; {hint}")
