from datetime import timedelta

from pydantic import BaseModel

from fsmvoice import (
    ANY,
    Compound,
    History,
    Parallel,
    State,
    VoiceMachine,
    after,
    always,
    forbid,
    guard,
    on_enter,
    spoken,
    transition,
)


class Beans(BaseModel):
    grams: int = 0
    chimes: int = 0


class Kiosk(VoiceMachine[Beans], id="kiosk"):
    """A coffee kiosk that grinds, heats and lights itself."""

    off = State(initial=True, prompt="I am switched off.")

    class on(Parallel):
        class brew(Compound, prompt="Brewing unit ready."):
            grinding = State(initial=True, prompt="I am grinding.")
            heating = State(prompt="I am heating.")
            ready = State(prompt="Your cup is ready.")
            last = History()

        class light(Compound):
            dim = State(initial=True)
            bright = State()

    @guard("There is not enough coffee yet.")
    def enough(self) -> bool:
        return self.context.grams >= 18

    @spoken("switch me on or off")
    @transition("POWER", source=off, target=on)
    @transition("POWER", source=on, target=off)
    def power(self) -> None: ...

    @spoken("grind some more")
    @transition("GRIND", source=on.brew.grinding)
    def grind(self) -> None:
        self.context.grams += 9

    @always(source=on.brew.grinding, target=on.brew.heating, guard=enough)
    def dosed(self) -> None: ...

    @after(timedelta(seconds=30), source=on.brew.heating, target=on.brew.ready)
    def hot(self) -> None: ...

    @on_enter(on.brew.ready)
    def chime(self) -> None:
        self.context.chimes += 1

    @spoken("change the light")
    @transition("LIGHT", source=on.light.dim, target=on.light.bright)
    @transition("LIGHT", source=on.light.bright, target=on.light.dim)
    def change_light(self) -> None: ...

    @spoken("empty the grinder", says="I emptied the grinder.")
    @transition("EMPTY", source=ANY)
    def empty(self) -> None:
        self.context.grams = 0

    keep_power = forbid("POWER", source=on.brew.heating, reason="It is hot, please wait.")


kiosk = Kiosk()
print(kiosk.power.sync().state)  # {'on': {'brew': 'grinding', 'light': 'dim'}}
kiosk.change_light.sync()
kiosk.grind.sync()
print(kiosk.grind.sync().state)  # {'on': {'brew': 'heating', 'light': 'bright'}}
print(kiosk.send_sync("POWER").say)
print(kiosk.matches(Kiosk.on.brew.heating))  # True
