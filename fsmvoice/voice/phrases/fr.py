"""French. Labels are infinitive groups ("commander un café"), names have their article ("la boisson")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fsmvoice.errors import ReasonCode
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases, ValueKind, between, capital, listed

_FORM: Mapping[ValueKind, str] = {
    "integer": "un nombre entier",
    "number": "un nombre",
    "text": "",
    "date": "une date",
    "time": "une heure",
    "list": "un élément après l'autre",
    "details": "avec tous les détails",
}
_LENGTHS: Mapping[ValueKind, str] = {"text": "caractère", "list": "élément"}
_VOWEL = re.compile(r"[aeiouyàâäéèêëîïôöùûüœæ]|h(?!aïr|ache|asarder|ausser|âter|eurter|isser|urler)", re.IGNORECASE)


class French(Phrases):
    """French; "vous" unless the locale says informal."""

    language = "fr"
    usually_formal = True
    time_pattern: str | None = "H 'h' mm"
    okay = "D'accord."
    finished = "Nous avons terminé."
    broken = "Quelque chose n'a pas fonctionné."
    wait: str = "Un instant, s'il vous plaît."
    start_over = "tout recommencer"
    other_choices = "faire d'autres choix"
    starting_over = "D'accord, on recommence."
    not_heard = "Je n'ai pas compris."
    about_action = "L'une des choses possibles, pour savoir comment faire."
    yes = "oui"
    no = "non"
    what_can_i_do: tuple[str, str] = ("Que puis-je faire ?", "Où nous en sommes, et ce qui est possible maintenant.")

    def __init__(self, tag: str | None = None, *, formal: bool | None = None) -> None:
        super().__init__(tag, formal=formal)
        self.wait = self._say("Un instant, s'il te plaît.", French.wait)
        retry = self._say("Réessaie, s'il te plaît.", "Veuillez réessayer.")
        ask = self._say("Demande-moi où nous en sommes.", "Demandez-moi où nous en sommes.")
        begin = self._say("Commences-en une nouvelle.", "Commencez-en une nouvelle.")
        unchanged = "et rien n'a changé."
        self.failures: Mapping[ReasonCode, str] = {
            "action-failed": f"Désolé, quelque chose n'a pas fonctionné, {unchanged} {retry}",
            "action-timeout": f"Désolé, cela a pris trop de temps, {unchanged} {retry}",
            "busy": "Je traite encore la demande précédente. Un petit instant.",
            "request-id-reused": f"Désolé, il y a eu une confusion, je n'ai donc rien fait. {ask}",
            "version-conflict": f"Quelque chose a changé entre-temps, je n'ai donc rien fait. {ask}",
            "definition-mismatch": (
                "J'ai été mis à jour depuis notre dernier échange et je ne peux pas reprendre là. "
                + self._say("Tu peux tout recommencer.", "Vous pouvez tout recommencer.")
            ),
            "session-expired": f"Notre dernière conversation a expiré. {begin}",
            "session-not-found": f"Je ne trouve pas cette conversation. {begin}",
            "limit-exceeded": "Désolé, c'est trop pour moi en ce moment.",
            "store-unavailable": f"Désolé, je n'ai pas accès à mes notes en ce moment, {unchanged} {retry}",
            "needs-confirmation": "Pour cela, il me faut un oui ou un non clair, je n'ai donc rien fait.",
            "invalid-arguments": f"Désolé, je n'ai pas compris, {unchanged}",
            "refused": "Désolé, ce n'est pas possible pour le moment.",
        }

    def _say(self, familiar: str, formal: str) -> str:
        return formal if self.formal else familiar

    def either(self, items: Sequence[str]) -> str:
        return listed(items, "ou")

    def both(self, items: Sequence[str]) -> str:
        return listed(items, "et")

    def can(self, labels: Sequence[str]) -> str:
        you = self._say("Tu peux", "Vous pouvez")
        if len(labels) > MAX_OPTIONS:
            return f"{you} {', '.join(labels[:MAX_OPTIONS])} ou demander la suite."
        return f"{you} {self.either(labels)}."

    def cannot(self, label: str) -> str:
        return f"Pour le moment, impossible {_of(label)}."

    def cannot_so(self, label: str) -> str:
        return f"Avec ces choix, impossible {_of(label)}."

    def can_be(self, name: str, choices: Sequence[str]) -> str:
        return f"Pour {name}, il y a {self.both(choices)}."

    def left_alone(self, label: str) -> str:
        return f"D'accord, je laisse cela de côté : {label}. Je n'ai rien changé."

    def finished_without(self, label: str) -> str:
        return f"Nous avons terminé, il n'est donc plus possible {_of(label)}."

    def meant(self, labels: Sequence[str]) -> str:
        return f"{self._say('Veux-tu', 'Voulez-vous')} {self.either(labels)} ?"

    def which(self, name: str, choices: Sequence[str]) -> str:
        return f"Pour {name}, que {self._want} : {self.either(choices)} ?"

    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        return f"Pour {name}, que {self._want}, par exemple {self.either(examples)} ?"

    @property
    def _want(self) -> str:
        return self._say("préfères-tu", "préférez-vous")

    def whether(self, name: str) -> str:
        return f"{capital(name)}, oui ou non ?"

    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        form = _FORM[kind]
        if kind in _LENGTHS:
            unit = _LENGTHS[kind] + ("" if (high or low) == "1" else "s")
            limit = between(
                low,
                high,
                (
                    f"de {{}} à {{}} {unit}",
                    f"d'au moins {{}} {unit}",
                    f"de {{}} {unit} au maximum",
                    f"de {{}} {unit} exactement",
                ),
            )
        else:
            limit = between(low, high, ("entre {} et {}", "à partir de {}", "jusqu'à {}", "égal à {}"))
        form = (", " if kind in _LENGTHS else " ").join(filter(None, (form, limit)))
        return f"Que dois-je noter pour {name}, {form} ?" if form else f"Que dois-je noter pour {name} ?"

    def not_a_choice(self, value: str) -> str:
        return f"{capital(value)} ne fait pas partie des choix."

    def not_possible(self, value: str) -> str:
        return f"{capital(value)}, ce n'est pas possible."

    def not_understood(self, name: str) -> str:
        return f"Je n'ai pas compris {name}."

    def too_long(self, name: str) -> str:
        return f"C'est trop long pour {name}."

    def too_short(self, name: str) -> str:
        return f"C'est trop court pour {name}."

    def also_needed(self, first: str, second: str) -> str:
        return f"Il me manque deux choses : {first} et {second}."

    def also_wrong(self, name: str) -> str:
        return f"Ensuite, il me faudra aussi {name}."

    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        unknown = f"Je ne sais pas ce qu'est {name}."
        if nearest is not None:
            return f"{unknown} {self._say('Voulais-tu', 'Vouliez-vous')} dire {nearest} ?"
        if known:
            return f"{unknown} Pour {label}, {self._say('tu peux', 'vous pouvez')} me dire {self.either(known)}."
        return f"{unknown} Pour {label}, je n'ai besoin de rien d'autre."

    def moment(self, day: str, time: str) -> str:
        return f"{day} à {time}"

    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        if always:
            return "Utilisable à tout moment."
        when: list[str] = []
        if prompts:
            when.append("après " + self.either([f'"{prompt}"' for prompt in prompts]))
        if situations:
            when.append("dans cette situation : " + self.either(situations))
        return f"À utiliser {' ou '.join(when)}." if when else ""

    def tool_status(self, subject: str) -> tuple[str, str]:
        return "Où en sommes-nous ?", (
            f"Dit où en est {subject} et ce qui est possible maintenant, sans rien changer. "
            "À utiliser au début, et quand quelqu'un demande ce qu'il peut faire ou veut l'entendre à nouveau."
        )

    def tool_start_over(self, subject: str) -> tuple[str, str]:
        return "Tout recommencer", (
            f"Reprend {subject} depuis le début ; ce qui a été dit jusqu'ici est abandonné. "
            "Utilisable à tout moment, quand quelqu'un veut tout recommencer."
        )

    def tool_start_session(self, subject: str) -> tuple[str, str]:
        return "Commencer une conversation", (
            f"Ouvre à neuf {subject}. Le résultat contient sa session ; donnez-la comme session à chaque appel suivant."
        )

    def subject(self, machine: str) -> str:
        return f"la conversation {machine}" if machine else "la conversation"

    def instructions(self, doc: str) -> str:
        how = (
            "Chaque outil répond par une phrase faite pour être dite : dites-la telle quelle. "
            "Un refus dit pourquoi, et ce qui est possible à la place. Demandez d'abord où en sont les choses."
        )
        return f"{self.closed(doc)} {how}" if doc else how


def _of(label: str) -> str:
    """ "de commander", "d'annuler"."""
    return f"d'{label}" if _VOWEL.match(label) else f"de {label}"
