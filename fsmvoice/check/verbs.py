"""Guesses whether a label that was made from an event's name starts with a verb."""

from __future__ import annotations

_ENDINGS = ("ation", "ition", "sion", "ment", "ness", "ity", "ance", "ence")
_VERBS_LIKE_NOUNS = frozenset(
    """
    advance audition augment balance cement chance commence comment commission complement compliment condition dance
    decrement distance document enhance envision evidence experience experiment fence ferment finance fragment freelance
    function glance harness implement increment influence instrument lament lance mention ornament partition petition
    position proposition provision question ration reference requisition romance segment sentence sequence silence
    stance station supplement torment transition vacation witness
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)
_VERBS_IN_ED = frozenset(
    """
    bed bleed breed embed exceed feed heed led need proceed seed shed shred sled speed succeed wed weed
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)
_VERBS_IN_ING = frozenset(
    """
    bring cling ding fling king ping ring sing sling spring sting string swing wing wring
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)
_VERBS_IN_LY = frozenset(
    """
    ally apply belly bully comply fly imply jelly multiply ply rally rely reply sully supply tally
    """.split()  # noqa: SIM905 - a list of words reads better in lines
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
    admin am are been bigger blue brighter button bye can cheaper colder could darker did does dont faster goodbye
    green had has he hello hi higher hotter i is it later left longer louder may maybe menu might must okay paid
    please quieter red shall she should slower smaller softer soon thanks they today tomorrow tonight warmer was
    we were will would yellow yesterday you
    """.split()  # noqa: SIM905 - a list of words reads better so
)


_OBJECTS = frozenset("a an her him it me my our that the them this us your".split())  # noqa: SIM905 - easier to read
_PARTICLES = ("off", "on", "up", "down")
_VERBS_WITH_OBJECTS = frozenset("list message text".split())  # noqa: SIM905 - easier to read


def is_no_verb_phrase(label: str) -> bool:
    """Whether "You can {label}." is certainly not English. Unknown words are assumed to be verbs."""
    first, _, rest = label.partition(" ")
    if any(char.isdigit() for char in first) or len(first) == 1:
        return True
    if first in ("time", "power", "back", "down") and rest:
        return first in ("time", "power") and not rest.startswith((*_PARTICLES, *_OBJECTS))
    if first in _VERBS_WITH_OBJECTS and rest:
        return _ends_in_participle(rest)
    if first in _NO_VERBS:
        return rest.partition(" ")[0] not in _OBJECTS
    if first.endswith("ed") and first not in _VERBS_IN_ED and len(first) > 3:
        return True
    if first.endswith("ing") and first not in _VERBS_IN_ING and len(first) > 4:
        return True
    if first.endswith("ly") and first not in _VERBS_IN_LY:
        return True
    if first.endswith(_ENDINGS) and first not in _VERBS_LIKE_NOUNS:
        return True
    return first not in _WITH_PARTICIPLES and _ends_in_participle(rest)


_WITH_PARTICIPLES = frozenset(
    """
    archive clear count delete download exclude export filter find get hide include keep leave list mark play print read
    remove restore see set show sort stay undo use view
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)
"""Verbs that may be followed by a participle: "get started", "show closed"."""
_PARTICIPLES = frozenset(
    """
    accepted added approved assigned cancelled canceled changed checked clicked closed completed confirmed connected
    created declined deleted delivered denied detected disconnected done ended expired failed fetched finished found
    granted loaded logged lost moved opened paid placed posted pressed processed published raised received rejected
    removed requested saved scanned scheduled selected sent shipped skipped started stopped submitted updated uploaded
    verified
    """.split()  # noqa: SIM905 - a list of words reads better in lines
)


def _ends_in_participle(rest: str) -> bool:
    """Whether it ends in a participle: "code updated" and "login failed" have happened and can't be done."""
    return rest.rpartition(" ")[2] in _PARTICIPLES
