"""Machines whose hearing is measured: the coffee of the examples, and a ticket with five people's worth of words."""

from __future__ import annotations

from typing import Literal

from fsmvoice import State, VoiceMachine, spoken, transition

IT = "(it|this|that|[the|this|that] (ticket|issue|task|bug))"
Person = Literal["alice", "bob", "charlie", "dana"]


class Ticket(VoiceMachine, id="ticket"):
    """A ticket, with templates made of the few samples that its author thought of."""

    fresh = State(initial=True)
    working = State()
    review = State()
    closing = State()

    @spoken(
        "assign it",
        utterances=[
            f"(assign|give|hand|pass|move|send|reassign) {IT} [over] to {{person}}|(assign|give) {{person}} {IT}",
            f"{{person}} (should|can|will|could|is going to) (take|have|do|handle|own|look at|work on|get) {IT}",
            f"(let|have|make|get) {{person}} [to] (take|have|do|handle|own|look at|work on) {IT}",
            f"{IT} (is|goes) (for|to) {{person}}",
        ],
    )
    @transition("ASSIGN", source=fresh)
    @transition("ASSIGN", source=working)
    def assign(self, person: Person) -> None: ...

    @spoken(
        "block it",
        utterances=[
            f"block {IT}|(mark|set|flag|put) {IT} (as|to|) (blocked|stuck|on hold)",
            f"{IT} (is|got) (blocked|stuck|on hold)",
            "(i am|we are|i got) (stuck|blocked) [on (it|this)]",
            "i can't (go on|continue|proceed|get any further)",
        ],
    )
    @transition("BLOCK", source=fresh)
    @transition("BLOCK", source=working)
    def block(self) -> None: ...

    @spoken(
        "start work",
        utterances=[
            f"(start|begin|get started|kick off) [with|on] [work|working|progress] [on {IT}]|{IT} is in progress",
            f"(i am|we are) [now] (working on|starting|beginning|taking|doing) {IT}|(work|get going) on {IT}",
        ],
    )
    @transition("START", source=fresh, target=working)
    def start_work(self) -> None: ...

    @spoken(
        "send it to review",
        utterances=[
            f"[{IT} is] ready (for|to) [a|be] (review|reviewed)",
            f"(send|submit|put|move|hand) [{IT}] (to|for|in|into|up for) [a] review",
            "(request|ask for|need) [a] review",
            f"(review|check) {IT}|(someone|somebody) (can|should|could) (review|check) {IT}",
        ],
    )
    @transition("SUBMIT_REVIEW", source=working, target=review)
    def submit(self) -> None: ...

    @spoken(
        "approve it",
        answers="yes",
        utterances=[
            f"(approve|accept|merge|ship|pass) [{IT}|the (change|changes)]|{IT} is (approved|accepted|fine|good)",
            "[(it|this|that)] looks (good|fine|great|right) [to me]|i (approve|accept) [(it|this|that)]|good to go",
        ],
    )
    @transition("APPROVE", source=review, target=closing)
    def approve(self) -> None: ...

    @spoken(
        "request changes",
        answers="no",
        utterances=[
            f"(request|ask for|want|need|make) [some|more] (changes|fixes|corrections)|(reject|refuse|decline) [{IT}]",
            f"(send|give|push) {IT} back",
            f"[{IT}] (needs|requires|could use) [some|more] (work|changes|fixing|improvement)",
            f"{IT} is not (good enough|ready|done|finished|right)",
        ],
    )
    @transition("REQUEST_CHANGES", source=review, target=working)
    def request_changes(self) -> None: ...

    @spoken(
        "close the ticket",
        utterances=[
            f"(close|resolve|finish|complete) [{IT}] [off|out|up]",
            f"(mark|set) {IT} (as|to|) (done|closed|resolved|finished|complete)",
            f"(we are|i am|{IT} is|that is) [all] (finished|done|resolved|fixed|complete) [with {IT}]",
        ],
    )
    @transition("CLOSE", source=closing, target=review)
    def close(self) -> None: ...

    @spoken(
        "reopen the ticket",
        utterances=[
            f"(reopen|re-open) [{IT}]|open {IT} [up] again|(bring|get) {IT} back",
            f"{IT} (is|broke) [still|again] [broken|failing|not working|not fixed] [again]",
            f"{IT} (does not work|came back)",
        ],
    )
    @transition("REOPEN", source=closing, target=fresh)
    def reopen(self) -> None: ...
