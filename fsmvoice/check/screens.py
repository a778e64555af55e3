"""The rule about texts that need a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fsmvoice.check.finding import Found, Severity
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import all_said


class _Words(NamedTuple):
    """Patterns of words for screens: `sure` ones can't mean anything else, `likely` ones may."""

    sure: re.Pattern[str]
    likely: re.Pattern[str]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_SHOWN = r"(?:list|options?|menu|table|picture|image|map|links?|buttons?|icons?|screen|items?|ones)"
_SCREEN: Mapping[str, _Words] = {
    "en": _Words(
        _any(
            r"\b(?:double[- ])?click(?:s|ed|ing)?\b(?! and collect| away)",
            r"^swipe\b(?! cards?)|\bswip(?:e|es|ed|ing)\b(?= (?:left|right|up|down|to|through|the|your|it|across))",
            r"\bscroll(?:s|ed|ing)?\b(?= (?:up|down|to|through|left|right|further))",
            r"(?<!on )(?<!off )(?<!the )(?<!a )(?<!an )(?<!your )(?<!or )"
            r"\btap(?:ping)?\b(?! (?:water|beer|room|shoe|danc))",
            r"\bhover(?:ing)? over\b",
            r"\bon-?screen\b|\b(?:on|at|watch|see|check) (?:the|your|this) (?:screen|display|monitor)\b(?! door)",
            rf"\bsee (?:below\b|the {_SHOWN}\b|it (?:here|below|above)\b)",
        ),
        _any(
            r"\b(?:you|you'll|you can|you should) (?:now )?see\b"
            r"(?! (?:a|the|your) (?:doctor|nurse|dentist|point|difference))"
            r"(?=,? (?:a|an|the|your|it|them|here|below|above|all|\w+ \w+s)\b)",
            r"\b(?:press|push|hit|use|select) (?:the|a|any) (?:\w+ )?(?:button|icon)\b",
            r"\b(?:shown|listed|displayed|pictured|highlighted) (?:here|below|above|on|in)\b",
            rf"\b{_SHOWN} (?:below|above|on the (?:left|right))\b",
            r"\btapped\b|\btouch (?:the|your|here|it|an?)\b|\btype (?:in|your|the|it)\b",
            r"\bdrop-?down\b|\bfollow (?:the|this) link\b",
            r"\b(?:look at|watch) the (?:list|picture|image|map|menu|table)\b",
        ),
    ),
    "de": _Words(
        _any(
            r"\b(?:an|ge)?klick(?:en|e|t)?\b|\bangeklickt\b|\bscroll(?:en|e)\b|\bwische(?:n sie)? (?:nach|zur|über)\b",
            r"(?<!ich )\btippe(?:n sie)?\b(?! ich)|\bantippen\b",
            r"\b(?:auf|an) (?:dem|deinem|ihrem|diesem) (?:bildschirm|display|monitor)\b|\bsiehe (?:unten|oben)\b",
        ),
        _any(
            r"\b(?:siehst du|du siehst|sie sehen)\b(?! sich)",
            r"\b(?:drücken sie|drücke|drück) (?:die|den|auf)\b|\bschaltfläche\b",
            r"\b(?:unten|oben) (?:gezeigt|angezeigt|aufgeführt|stehend)|\bangezeigten?\b",
        ),
    ),
    "fr": _Words(
        _any(
            r"\bcliqu(?:ez|e|er)\b|\bbalayez\b|\bfaites défiler\b",
            r"\b(?:à|sur) (?:l['’]|votre |ton )écran\b",
        ),
        _any(r"\b(?:vous voyez|tu vois)\b", r"\b(?:appuyez sur|touchez)\b", r"\bci-dess(?:ous|us)\b"),
    ),
    "es": _Words(
        _any(
            r"\b(?:haz|haga|hacer) clic\b",
            r"\b(?:puls[ae]|desli[zc][ae]) (?:el|la|en|aquí|sobre|hacia)\b",
            r"\ben (?:la|tu|su) pantalla\b",
        ),
        _any(
            r"\b(?:presion[ae]|toque) (?:el|la) (?:botón|tecla|icono|imagen)\b", r"\bmás abajo\b", r"\bque ves? aquí\b"
        ),
    ),
    "ja": _Words(
        _any("クリック", "タップ(?!ダンス)", "スワイプ", "スクロール", "画面[をにで]"),
        _any("画面", "ボタン", "以下の", "下記", "上記"),
    ),
}


@rule(
    "V22",
    "error",
    source="a smart speaker has no screen, and drivers can't look at one",
    right="use words for speech: 'say ...' instead of 'tap ...'",
)
def screen_words(subject: Subject) -> Iterator[Found]:
    """A text that asks to tap, click or look at something, although the listener may have no screen.

    A warning if it may be meant otherwise, such as a button on a wall.
    """
    for said in all_said(subject):
        words = _SCREEN.get(said.language.partition("-")[0])
        if words is None or said.kind in ("value", "parameter"):
            continue
        sure = words.sure.search(said.words)
        match = sure or words.likely.search(said.words)
        if match is not None:
            message = f"the {said.kind} says {match[0]!r}"
            severity: Severity | None = None if sure else "warning"
            yield Found(said.spot, message, "words for speech", severity, subject.told(said.language))
