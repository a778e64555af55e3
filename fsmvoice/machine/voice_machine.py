"""`VoiceMachine`: the class a user writes, and the machine that runs."""

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
from fsmvoice.machine.keywords import Keywords
from fsmvoice.machine.machine_type import MachineType, definition_of, set_keywords
from fsmvoice.machine.picture import OnBoth, bundle_of, svg_of
from fsmvoice.machine.placing import run_state_at
from fsmvoice.machine.running import C, Running, actor_of, open_step_of, placed, start
from fsmvoice.machine.start_over import StartOver
from fsmvoice.machine.states import StateRef
from fsmvoice.machine.suspending import suspended
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.effect import CALL_KEY
from fsmvoice.model.versions import load_run_state

if TYPE_CHECKING:
    from fsmvoice.voice.heard import Heard

    _Meta = ABCMeta  # checkers look at the keywords of a class statement only where they know the metaclass
else:
    _Meta = MachineType

V = TypeVar("V")


class FromDefinition(Generic[V]):
    """A class attribute that is read from the class's definition."""

    def __init__(self, read: Callable[[Definition], V]) -> None:
        self._read = read

    def __get__(self, obj: object, owner: type[Running[Any]]) -> V:
        return self._read(definition_of(owner))


class VoiceMachine(Running[C], metaclass=_Meta):
    """A state machine that is spoken to. Subclass it; declare states, and methods under `@transition`.

    `VoiceMachine[CoffeeContext]` names the type of its context: a pydantic model, a dataclass, or (by default) a dict.
    An instance is a plain object: it needs no event loop, and no server. It starts when its `__init__` is over.

    Keywords of the class statement:
        id: names the machine's tools; the class's name in snake_case if not said.
        version: of the definition, for stored sessions. Inherited.
        locale: the language its texts are in; English if not said. Inherited.
        restart_when_done: an event that a new machine would take begins one when this is done. Inherited.
    """

    config: ClassVar[FromDefinition[FsmConfig]] = FromDefinition(lambda definition: definition.config)
    """The machine as data: JSON in and out, with the names of its functions, and its texts."""
    chart: ClassVar[FromDefinition[Chart]] = FromDefinition(lambda definition: definition.chart)
    """The machine as the engine runs it."""
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
        """A machine in its initial state.

        Args:
            context: what it begins with; a new one if not given.
            clock: what `@after` goes by, such as a `SimulatedClock` in tests; the system's clock if not given.

        Raises:
            ContextError: if the context does not fit its type, or has fields without a value.
        """
        _check_clock(type(self), clock)
        self.__fsmvoice_run__.clock = clock
        if context is not None:
            self.__fsmvoice_run__.context = definition_of(type(self)).behaviour.context.check(context)

    def __fsmvoice_chart__(self) -> Chart:
        return type(self).chart

    @classmethod
    async def started(cls, *args: Any, **kwargs: Any) -> Self:
        """A new machine whose start may wait: for one that has async `@on_enter` code in its initial state."""
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
        """The machine for XState 5, with names in place of functions: `createMachine(json).provide({...})`."""
        return to_xstate(cls.config)

    @property
    def snapshot(self) -> Snapshot[C]:
        """Where the machine stands. It does not change; the next event makes another."""
        return actor_of(self).snapshot

    @property
    def state(self) -> str | dict[str, Any]:
        """The active state's name; for nested states a dict, for parallel ones a dict of all: XState's state value."""
        return self.snapshot.value

    @property
    def available(self) -> tuple[str, ...]:
        """The events that are possible now, in the order they were declared."""
        return _now(self).available_events

    @property
    def blocked(self) -> tuple[Blocked, ...]:
        """The events that the state knows and a guard or a forbid closes now, each with why."""
        return _now(self).blocked_events

    @property
    def start_over(self) -> StartOver[C]:
        """Begin again: `await machine.start_over()` or `machine.start_over.sync()`."""
        return StartOver(self)

    @property
    def idempotency_key(self) -> str:
        """In step code, a service or an effect: what tells this piece of work from every other one.

        It stays the same when the work is done again, after a crash, a conflict or a repeated request: give it to what
        you call outside. Without a store it is another one each time.

        Raises:
            LookupError: elsewhere.
        """
        step = open_step_of(self)
        if step is not None:
            return step.idempotency_key
        key = CALL_KEY.get(None)
        if key is None:
            raise LookupError("idempotency_key is of step code, of a service or of an effect while it runs")
        return key

    def matches(self, state: StateRef) -> bool:
        """Whether a state is active. Raises UnknownName for one that the machine does not have."""
        path = definition_of(type(self)).node(state).path
        return any(node.path == path for node in self.snapshot.nodes)

    def say(self) -> str:
        """What would be said to someone who asks where we are and what can be done."""
        speak = type(self).chart.behaviour.speak
        return "" if speak is None else speak.status(_now(self))

    def hear(self, text: str, *, locale: str | None = None) -> Heard:
        """What someone who says `text` asks for in this state. Nothing is fired: `send` the event of a `Match`.

        Args:
            locale: the language of `text`; the machine's own by default.

        Raises:
            MissingExtra: if the machine has templates and hassil is not installed.
            DefinitionError: if one can't be read.
        """
        # Most machines are spoken to by a host, which does the hearing itself, so this is loaded when it is wanted.
        found: Heard = import_module("fsmvoice.voice.match").hear(_now(self), text, locale=locale)
        return found

    async def send(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Fire an event by its name, or as a mapping: `{"type": "ORDER", "drink": "latte"}`.

        A refusal is an outcome too, not an exception.

        Raises:
            UnknownName: if no transition has the event.
            ActionFailed: if step code raised; nothing has changed.
        """
        actor = actor_of(self)
        name = event if isinstance(event, str) else _named(event)
        if name not in actor.chart.payloads:
            raise _unknown(type(self), name)
        return await actor.send(event, **payload)

    def send_sync(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """`send` without an event loop. Raises Suspended, with nothing changed, if something has to wait."""
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
        """Wait until no service runs, and all that services did is handled: for tests.

        Raises:
            ServiceFailed: if one failed meanwhile, and nothing leads on from its error.
        """
        await actor_of(self).settled()

    async def __aenter__(self) -> Self:
        await actor_of(self).resume()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await actor_of(self).aclose()

    def __getstate__(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if name != "__fsmvoice_run__"}
        return {"attributes": own, "snapshot": self.snapshot.persist()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state["attributes"])
        self.__fsmvoice_run__.stand = load_run_state(type(self).chart, state["snapshot"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} in {self.state!r}>"


def _now(machine: VoiceMachine[C]) -> Snapshot[C]:
    """Where the machine stands, with timers that are due stepped."""
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
