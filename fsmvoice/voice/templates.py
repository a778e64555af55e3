"""Utterance templates such as `[please] (order|get me) [a] {drink}`: parsing (by hassil), sentences, and regexes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, TypeAlias

from fsmvoice.errors import MissingExtra

if TYPE_CHECKING:
    from hassil.expression import Expression

MAX_TOGETHER = 4
"""The most parts of a permutation; all of its 24 orders are tried."""
_PLAIN = re.compile(r"[^()\[\]{}<>|;\\]*")


class TemplateError(ValueError):
    """A template is invalid."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words, or a part of a word. Leading and trailing spaces are significant."""

    text: str


@dataclass(frozen=True, slots=True)
class SlotRef:
    """A slot for a value of a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Series:
    """Parts in sequence."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives; one is an empty text if all may be left out."""

    parts: tuple[Part, ...]


Part: TypeAlias = Text | SlotRef | Series | Choice


def read_template(template: str) -> Part:
    """Parse a template.

    Raises:
        TemplateError: if it is invalid.
        MissingExtra: if it has brackets and hassil is not installed.
    """
    if _PLAIN.fullmatch(template):
        return Text(template.strip())
    try:
        from hassil import parse_sentence  # noqa: PLC0415 - an optional extra
        from hassil.parser import ParseError  # noqa: PLC0415 - an optional extra
    except ImportError:
        short = template if len(template) <= 60 else f"{template[:60]}…"
        raise MissingExtra("voice", f"hearing the utterance {short!r}") from None
    try:
        return _part(parse_sentence(template).expression)
    except (ParseError, AssertionError, RecursionError) as error:
        raise TemplateError(str(error) or "it is malformed") from None


def _part(expression: Expression) -> Part:
    from hassil import expression as kinds  # noqa: PLC0415 - an optional extra

    if isinstance(expression, kinds.TextChunk):
        return Text(expression.original_text)
    if isinstance(expression, kinds.ListReference):
        return SlotRef(expression.slot_name)
    if isinstance(expression, kinds.Alternative):
        return Choice(tuple(map(_part, expression.items)))
    if isinstance(expression, kinds.Permutation):
        parts = tuple(map(_part, expression.items))
        if len(parts) > MAX_TOGETHER:
            raise TemplateError(f"{len(parts)} parts in any order are too many; at most {MAX_TOGETHER}")
        return Choice(tuple(Series(order) for order in permutations(parts)))
    if isinstance(expression, kinds.Group):
        return Series(tuple(map(_part, expression.items)))
    if isinstance(expression, kinds.RuleReference):
        raise TemplateError(f"<{expression.rule_name}> is a rule reference, which is not supported; write it out")
    raise TemplateError(f"{type(expression).__name__} is not supported")


def slots_in(part: Part) -> Iterator[str]:
    """The names of all slots, with repetitions."""
    if isinstance(part, SlotRef):
        yield part.name
    elif isinstance(part, Series | Choice):
        for item in part.parts:
            yield from slots_in(item)


def count(part: Part) -> int:
    """The number of sentences that a template matches, counting a slot as one word."""
    if isinstance(part, Series):
        return math.prod(map(count, part.parts))
    if isinstance(part, Choice):
        return sum(map(count, part.parts))
    return 1


def sentence(part: Part, number: int) -> str:
    """The `number`th sentence, from 0, with slots unfilled: "order a {drink}"."""
    return " ".join(_sentence(part, number).split())


def _sentence(part: Part, number: int) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, SlotRef):
        return f"{{{part.name}}}"
    if isinstance(part, Choice):
        for item in part.parts:
            size = count(item)
            if number < size:
                return _sentence(item, number)
            number -= size
        return ""
    said: list[str] = []
    for item in reversed(part.parts):
        number, own = divmod(number, count(item))
        said.append(_sentence(item, own))
    return "".join(reversed(said))


def sentences(part: Part, at_most: int) -> list[str]:
    """The sentences that a template matches; of more than `at_most`, an evenly spread selection."""
    total = count(part)
    if total <= at_most:
        numbers: Sequence[int] = range(total)
    else:
        # A step coprime to the total reaches every alternative; others would miss some systematically.
        step = total // at_most | 1
        while math.gcd(step, total) != 1:
            step += 2
        numbers = [place * step % total for place in range(at_most)]
    return list(dict.fromkeys(text for number in numbers if (text := sentence(part, number))))


def regex(
    part: Part,
    normal: Callable[[str], str],
    slot: Callable[[str], str],
    *,
    spaced: bool,
    figures: Callable[[str], str] = lambda word: word,
) -> str:
    """A pattern for `fullmatch` with the sentences of a template.

    Args:
        normal: converts words to normal form.
        slot: returns the pattern of a slot's values, including its group.
        spaced: whether words are separated by spaces.
        figures: returns a number that is written in figures as it is said.
    """

    def inner(item: Part) -> str:
        return regex(item, normal, slot, spaced=spaced, figures=figures)

    def fixed(word: str) -> str:
        said = figures(word) if word.isdecimal() else word
        return re.escape(word) if said == word else f"(?:{re.escape(word)}|{re.escape(said)})"

    space = r"(?: |(?<![^ ])|$)" if spaced else ""
    if isinstance(part, SlotRef):
        return slot(part.name)
    if isinstance(part, Choice):
        return f"(?:{'|'.join(map(inner, part.parts))})"
    if isinstance(part, Series):
        return "".join(map(inner, part.parts))
    words = normal(part.text)
    if not words:
        return space if part.text else ""
    before = space if part.text[:1].isspace() or part.text[:1] in "'’" else ""  # the 's of "(it|that)'s" is a word
    after = space if part.text[-1:].isspace() else ""
    return before + space.join(map(fixed, words.split(" "))) + after


def fixed_words(part: Part) -> int:
    """The number of words that every sentence of a template has at least."""
    if isinstance(part, Text):
        return len(part.text.split())
    if isinstance(part, Series):
        return sum(map(fixed_words, part.parts))
    if isinstance(part, Choice):
        return min(map(fixed_words, part.parts), default=0)
    return 0


def filled(text: str, values: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """A sentence with every combination of `values` in its slots. Slots without values are kept."""
    names = [name for name in dict.fromkeys(re.findall(r"\{(\w+)\}", text)) if values.get(name)]
    for combination in product(*(values[name] for name in names)):
        said = text
        for name, value in zip(names, combination, strict=True):
            said = said.replace(f"{{{name}}}", str(value))
        yield said
