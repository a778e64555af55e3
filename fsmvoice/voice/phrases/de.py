"""German. Labels are infinitive groups ("einen Kaffee bestellen"), names have their article ("die Größe")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmvoice.errors import ReasonCode
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases, ValueKind, between, capital, listed

_FORM: Mapping[ValueKind, str] = {
    "integer": "als ganze Zahl",
    "number": "als Zahl",
    "text": "",
    "date": "als Datum",
    "time": "als Uhrzeit",
    "list": "eins nach dem anderen",
    "details": "mit allen Einzelheiten",
}
_LENGTHS: Mapping[ValueKind, str] = {"text": "Zeichen", "list": "Stück"}
_WHICH = {"der": "Welcher", "die": "Welche", "das": "Welches"}


class German(Phrases):
    """German; "du" unless the locale says formal."""

    language = "de"
    time_pattern: str | None = "H:mm 'Uhr'"
    okay = "Okay."
    finished = "Wir sind hier fertig."
    broken = "Da ist etwas schiefgegangen."
    wait = "Einen Moment bitte."
    start_over = "von vorn anfangen"
    other_choices = "andere Angaben machen"
    starting_over = "Okay, noch einmal von vorn."
    not_heard = "Das habe ich nicht verstanden."
    what_can_i_do: tuple[str, str] = ("Was kann ich tun?", "Wo wir gerade sind und was jetzt möglich ist.")
    about_action = "Eines der Dinge, die möglich sind, um zu hören, wie es geht."
    yes = "ja"
    no = "nein"

    def __init__(self, tag: str | None = None, *, formal: bool | None = None) -> None:
        super().__init__(tag, formal=formal)
        retry = self._say("Versuch es bitte noch einmal.", "Versuchen Sie es bitte noch einmal.")
        ask = self._say("Frag bitte, wo wir gerade sind.", "Fragen Sie bitte, wo wir gerade sind.")
        begin = self._say("Fang bitte ein neues an.", "Fangen Sie bitte ein neues an.")
        unchanged = "und es hat sich nichts geändert."
        self.failures: Mapping[ReasonCode, str] = {
            "action-failed": f"Entschuldigung, da ist etwas schiefgegangen, {unchanged} {retry}",
            "action-timeout": f"Entschuldigung, das hat zu lange gedauert, {unchanged} {retry}",
            "busy": "Ich bin noch mit der letzten Anfrage beschäftigt. Einen Moment bitte.",
            "request-id-reused": f"Entschuldigung, da ist etwas durcheinandergeraten, ich habe nichts getan. {ask}",
            "version-conflict": f"Inzwischen hat sich etwas geändert, deshalb habe ich nichts getan. {ask}",
            "definition-mismatch": (
                "Ich wurde seit unserem letzten Gespräch erneuert und kann dort nicht weitermachen. "
                + self._say("Du kannst von vorn anfangen.", "Sie können von vorn anfangen.")
            ),
            "session-expired": f"Unser letztes Gespräch ist abgelaufen. {begin}",
            "session-not-found": f"Dieses Gespräch finde ich nicht. {begin}",
            "limit-exceeded": "Entschuldigung, das ist gerade zu viel für mich.",
            "store-unavailable": (f"Entschuldigung, ich komme gerade nicht an meine Notizen, {unchanged} {retry}"),
            "needs-confirmation": "Dafür brauche ich ein klares Ja oder Nein, deshalb habe ich nichts getan.",
            "invalid-arguments": f"Entschuldigung, das habe ich nicht verstanden, {unchanged}",
            "refused": "Entschuldigung, das geht gerade nicht.",
        }

    def _say(self, familiar: str, formal: str) -> str:
        return formal if self.formal else familiar

    def either(self, items: Sequence[str]) -> str:
        return listed(items, "oder")

    def both(self, items: Sequence[str]) -> str:
        return listed(items, "und")

    def can(self, labels: Sequence[str]) -> str:
        you = self._say("Du kannst", "Sie können")
        if len(labels) > MAX_OPTIONS:
            return f"{you} {', '.join(labels[:MAX_OPTIONS])} oder nach mehr fragen."
        return f"{you} {self.either(labels)}."

    def cannot(self, label: str) -> str:
        return f"{capital(label)} geht gerade nicht."

    def cannot_so(self, label: str) -> str:
        return f"{capital(label)} geht mit diesen Angaben nicht."

    def can_be(self, name: str, choices: Sequence[str]) -> str:
        return f"{capital(name)}: Zur Auswahl {'steht' if len(choices) == 1 else 'stehen'} {self.both(choices)}."

    def left_alone(self, label: str) -> str:
        return f"Okay, dann lasse ich das: {label}. Ich habe nichts geändert."

    def finished_without(self, label: str) -> str:
        return f"Wir sind hier fertig. {capital(label)} geht jetzt nicht mehr."

    def meant(self, labels: Sequence[str]) -> str:
        return f"{self._say('Möchtest du', 'Möchten Sie')} {self.either(labels)}?"

    def which(self, name: str, choices: Sequence[str]) -> str:
        return f"{_which(name)} soll es sein: {self.either(choices)}?"

    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        return f"{_which(name)} soll es sein, zum Beispiel {self.either(examples)}?"

    def whether(self, name: str) -> str:
        return f"{capital(name)}, ja oder nein?"

    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        form = _FORM[kind]
        if kind in _LENGTHS:
            limit = between(low, high, ("{} bis {}", "mindestens {}", "höchstens {}", "genau {}"))
            form = ", ".join(filter(None, (form, f"mit {limit} {_LENGTHS[kind]}" if limit else "")))
        else:
            limit = between(low, high, ("von {} bis {}", "ab {}", "bis {}", "von genau {}"))
            form = f"{form} {limit}".rstrip()
        if kind in ("list", "details"):
            asked = f"Was soll ich für {_accusative(name)} notieren"
        else:
            asked = f"Wie lautet {name}" if kind == "text" else f"{_which(name)} soll es sein"
        return f"{asked}, {form}?" if form else f"{asked}?"

    def not_a_choice(self, value: str) -> str:
        return f"{capital(value)} steht nicht zur Auswahl."

    def not_possible(self, value: str) -> str:
        return f"{capital(value)} ist nicht möglich."

    def not_understood(self, name: str) -> str:
        return f"Eine Angabe habe ich nicht verstanden: {name}."

    def too_long(self, name: str) -> str:
        return f"Eine Angabe ist zu lang: {name}."

    def too_short(self, name: str) -> str:
        return f"Eine Angabe ist zu kurz: {name}."

    def also_needed(self, first: str, second: str) -> str:
        return f"Es fehlen noch zwei Angaben: {first} und {second}."

    def also_wrong(self, name: str) -> str:
        return f"Danach fehlt noch eine Angabe: {name}."

    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        unknown = f"Mit {name} kann ich hier nichts anfangen."
        if nearest is not None:
            return f"{unknown} Ist das gemeint: {nearest}?"
        if known:
            return f"{unknown} {self._say('Sagen kannst du', 'Sagen können Sie')} mir dazu: {self.either(known)}."
        return f"{unknown} Dazu brauche ich keine Angaben."

    def moment(self, day: str, time: str) -> str:
        return f"{day} um {time}"

    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        if always:
            return "Das ist jederzeit möglich."
        when: list[str] = []
        if prompts:
            when.append("nach " + self.either([f'"{prompt}"' for prompt in prompts]))
        if situations:
            when.append("in diesem Zustand: " + self.either(situations))
        return f"Zu verwenden {' oder '.join(when)}." if when else ""

    def tool_status(self, subject: str) -> tuple[str, str]:
        return "Wo sind wir?", (
            f"Sagt, wo dies gerade steht und was jetzt möglich ist, ohne etwas zu ändern: {subject}. "
            "Zu Beginn verwenden, und wenn jemand fragt, was möglich ist, oder es noch einmal hören will."
        )

    def tool_start_over(self, subject: str) -> tuple[str, str]:
        return "Von vorn anfangen", (
            f"Beginnt dies noch einmal von vorn: {subject}. Was bisher gesagt wurde, entfällt. "
            "Jederzeit möglich, wenn jemand von vorn anfangen will."
        )

    def tool_start_session(self, subject: str) -> tuple[str, str]:
        return "Ein Gespräch anfangen", (
            f"Öffnet ein neues Gespräch: {subject}. Das Ergebnis enthält seine session; "
            "sie gehört als session in jeden späteren Aufruf."
        )

    def subject(self, machine: str) -> str:
        return f"das Gespräch {machine}" if machine else "das Gespräch"

    def instructions(self, doc: str) -> str:
        how = (
            "Jedes Werkzeug antwortet mit einem Satz, der zum Vorlesen gemacht ist: Sag ihn so, wie er ist. "
            "Eine Absage sagt, warum, und was stattdessen möglich ist. Frag zuerst nach dem Stand der Dinge."
        )
        return f"{self.closed(doc)} {how}" if doc else how


def _which(name: str) -> str:
    """ "Welches Getränk"; a name without an article is only mentioned."""
    article, _, noun = name.partition(" ")
    which = _WHICH.get(article.lower())
    return f"{which} {noun}" if which and noun else f"{capital(name)}: Was"


def _accusative(name: str) -> str:
    return f"den {name[4:]}" if name.lower().startswith("der ") else name
