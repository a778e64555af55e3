import asyncio

from fsmvoice import Refuse, State, VoiceMachine, spoken, transition


class Till(VoiceMachine, id="till"):
    """Pay by voice."""

    def __init__(self, bank: "Bank | None" = None) -> None:
        self.bank = bank or Bank()
        super().__init__()

    due = State(initial=True, prompt="It is five euros. Shall I charge your card?")
    paid = State(final=True, prompt="Thank you, it is paid.")

    @spoken("pay", answers="yes")
    @transition("PAY", source=due, target=paid)
    async def pay(self) -> None:
        """Charge the card."""
        if not await self.bank.charge(500, key="order-1"):
            raise Refuse("Your card was declined.")


class Bank:
    """Stands for your payment provider's client."""

    def __init__(self, balance: int = 1_000) -> None:
        self.balance = balance

    async def charge(self, cents: int, key: str) -> bool:
        await asyncio.sleep(0)
        if cents > self.balance:
            return False
        self.balance -= cents
        return True


async def main() -> None:
    poor = Till(Bank(balance=100))
    refused = await poor.send("PAY")
    print(refused.say)  # Your card was declined. You can pay.
    print(poor.state)  # due

    rich = Till()
    print((await rich.pay()).say)  # Thank you, it is paid.


asyncio.run(main())
