"""`Money`: marks a number as an amount in a currency, so that it is spoken as money."""

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
        ValueError: if it is not three capital letters.
    """

    currency: str

    def __post_init__(self) -> None:
        if not _CODE.fullmatch(self.currency):
            raise ValueError(f"{self.currency!r} is not a currency; write its ISO code, such as 'EUR'")


class Amount(NamedTuple):
    """The value of a field marked `Money`, with its currency."""

    value: int | float | Decimal
    currency: str
