"""The screen of a machine, for a program that has a toolkit of its own."""

from typing import Literal

from fsmvoice import State, VoiceMachine, spoken, transition
from fsmvoice.screen.rjsf import rjsf
from fsmvoice.screen.screen import screen


class Tea(VoiceMachine, id="tea"):
    choosing = State(initial=True, prompt="Which tea?")
    steeping = State(prompt="It steeps.")

    @spoken("choose a tea")
    @transition("CHOOSE", source=choosing, target=steeping)
    def choose(self, leaf: Literal["green", "black"]) -> None: ...

    @spoken("pour it out", destructive=True)
    @transition("POUR", source=steeping, target=choosing)
    def pour(self) -> None: ...


tea = Tea()
shown = screen(tea.snapshot)
print(shown.title, "-", shown.say)  # Tea - You can choose a tea. Which tea?
for action in shown.actions:
    print(action.label, action.style, action.enabled)  # choose a tea primary True

tea.choose.sync(leaf="green")
print([action.style for action in screen(tea.snapshot).actions])  # ['danger']

form = rjsf(shown)["CHOOSE"]
print(form["uiSchema"]["leaf"])  # {'ui:widget': 'radio', 'ui:enumNames': ['Green', 'Black']}
