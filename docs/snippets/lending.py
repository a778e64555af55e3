import asyncio
from datetime import timedelta
from typing import Annotated, Any

from pydantic import BaseModel, Field

from fsmvoice import SimulatedClock, State, VoiceMachine, after, effect, invoke, migration, spoken, transition

BookNumber = Annotated[int, Field(ge=1, le=9999)]


class Loan(BaseModel):
    book: int | None = None
    title: str | None = None


class Counter(VoiceMachine[Loan], id="counter", version="2"):
    """Borrow a book by voice."""

    idle = State(initial=True, prompt="Which book would you like?")
    looking = State(prompt="One moment, I am looking for it.")
    found = State(prompt="It is {title}. Shall I lend it to you?")
    lent = State(prompt="You have {title|your book} for a month.")
    overdue = State(prompt="{title|Your book} is overdue.")

    @spoken("borrow a book", utterances=["[please] (borrow|lend me) [book] [number] {book}"])
    @transition("BORROW", source=idle, target=looking)
    def borrow(self, book: BookNumber) -> None:
        """Look for a book by its number."""
        self.context.book = book

    @invoke(during=looking, done=found, error=idle)
    async def look_up(self) -> dict[str, str]:
        await asyncio.sleep(0)  # stands for a request to the catalogue
        return {"title": {1984: "Nineteen Eighty-Four"}[self.context.book or 0]}

    @spoken("lend it", answers="yes")
    @transition("LEND", source=found, target=lent)
    def lend(self) -> None:
        """Lend the book that was found."""
        self.mail.later("ann@example.com", f"You have {self.context.title}.")

    @spoken("return the book", confirm="Return {title|the book}?", says="Thank you.")
    @transition("RETURN", source=[lent, overdue], target=idle)
    def give_back(self) -> None:
        """Bring the book back."""

    @after(timedelta(days=30), source=lent, target=overdue)
    def month_is_over(self) -> None: ...

    @effect
    async def mail(self, to: str, text: str) -> None:
        await outbox.send(to, text, key=self.idempotency_key)

    @transition("error.effect.mail", source=lent)
    def not_mailed(self, error: str) -> None: ...

    @migration("1", "2")
    @staticmethod
    def found_was_offered(run: dict[str, Any]) -> dict[str, Any]:
        return {**run, "states": ["found" if state == "offered" else state for state in run["states"]]}


class Mails:
    """Stands for your mail provider's client, which sends once for a key."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}

    async def send(self, to: str, text: str, key: str) -> None:
        await asyncio.sleep(0)
        self.sent.setdefault(key, f"{to}: {text}")


outbox = Mails()


async def test_a_book_is_lent_for_a_month() -> None:
    clock = SimulatedClock()
    async with Counter(clock=clock) as counter:
        await counter.borrow(book=1984)
        await counter.settled()  # the look-up is over
        assert counter.state == "found"
        await counter.lend()
        await counter.settled()  # the mail is sent
        assert list(outbox.sent.values()) == ["ann@example.com: You have Nineteen Eighty-Four."]
        clock.advance(timedelta(days=31))
        assert not counter.lend.can()  # what is due is done before anything is asked
        assert counter.state == "overdue"


def test_version_1_called_it_offered() -> None:
    stored = {**Counter.at("found", title="Emma").snapshot.persist(), "version": "1", "states": ["offered"]}
    assert Counter.restore(stored).state == "found"


if __name__ == "__main__":
    asyncio.run(test_a_book_is_lent_for_a_month())
    test_version_1_called_it_offered()
    print(Counter.at("found", title="Emma").snapshot.persist()["states"])  # ['found']
