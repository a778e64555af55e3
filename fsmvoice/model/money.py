"""`Money`: marks an amount with its currency, so that it is said as money."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

_CODE = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Money:
    """Marks a number as an amount of a currency: `Annotated[Decimal, Money("EUR")]`.

    Args:
        currency: its ISO 4217 code.

    Raises:
        ValueError: for what can't be a code.
    """

    currency: str

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.currency):
            raise ValueError(f"{self.currency!r} is not a currency; write its ISO code, such as 'EUR'")


class Amount(NamedTuple):
    """An amount of money: what a field marked `Money` holds, with the currency it is marked with."""

    value: int | float | Decimal
    currency: str
