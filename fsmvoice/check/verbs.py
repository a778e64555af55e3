"""Whether a label that was made from an event's name begins with a verb, as far as that can be told."""

from __future__ import annotations

_ENDINGS = ("ation", "ition", "ment", "ness", "ity", "ance", "ence")
_VERBS_LIKE_NOUNS = frozenset(
    {
        "position",
        "question",
        "mention",
        "condition",
        "function",
        "ration",
        "comment",
        "document",
        "implement",
        "supplement",
        "experiment",
        "witness",
        "harness",
        "dance",
        "advance",
        "balance",
        "finance",
        "glance",
        "chance",
        "enhance",
        "sentence",
        "reference",
        "influence",
        "evidence",
        "experience",
        "silence",
        "fence",
        "commence",
        "stance",
    }
)
_VERBS_IN_ED = frozenset(
    {
        "need",
        "feed",
        "speed",
        "proceed",
        "exceed",
        "succeed",
        "heed",
        "seed",
        "weed",
        "bleed",
        "breed",
        "embed",
        "shed",
        "shred",
        "wed",
        "bed",
        "sled",
        "led",
    }
)
_VERBS_IN_ING = frozenset(
    {"bring", "sing", "ring", "swing", "fling", "cling", "string", "sting", "wing", "ping", "king"}
)
_NO_VERBS = frozenset(
    """
    about above across all alpha another any available back bad below beta big both busy camera client code
    completed confirmation connection context current data database date day deep dialog different done down
    each engine error event every everything external failure false feature federated final first
    foo baz found full gamma good graph grid handler hardware happy id in inactive inert info inner
    internal invalid item last lethal loaded machine main manual maximum message method minimum minute
    missing mobile my network new next no none not nothing now null number ok off old on one only out
    outer output parallel password patient payload power prior products property ready resolved
    response right runtime same seconds selection selfie server service session single some status
    success successful system tab text the there third three time timeout timer title todo token
    transaction true two unavailable undefined up upper user valid value video visa warning way web wheel window wrong
    yes zero
    """.split()  # noqa: SIM905 - a list of words reads better so
)


def is_no_verb_phrase(label: str) -> bool:
    """Whether "You can {label}." is surely no English. What is not known is taken for a verb."""
    first, _, rest = label.partition(" ")
    if any(char.isdigit() for char in first) or len(first) == 1:
        return True
    if (
        first in ("time", "power", "back", "down", "message", "text", "number", "page", "list", "value", "date")
        and rest
    ):
        return first in ("time", "power") and not rest.startswith(("off", "on", "up", "down"))
    if first in _NO_VERBS:
        return True
    if first.endswith("ed") and first not in _VERBS_IN_ED and len(first) > 3:
        return True
    if first.endswith("ing") and first not in _VERBS_IN_ING and len(first) > 4:
        return True
    if first.endswith(_ENDINGS) and first not in _VERBS_LIKE_NOUNS:
        return True
    return _ends_in_participle(rest)


_PARTICIPLES = frozenset(
    """
    approved cancelled canceled changed clicked closed completed created deleted detected done expired failed fetched
    finished found loaded moved opened paid pressed raised received rejected removed requested selected sent started
    stopped submitted updated
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)


def _ends_in_participle(rest: str) -> bool:
    """ "code updated", "login failed": what has happened, not what can be done."""
    return rest.rpartition(" ")[2] in _PARTICIPLES
