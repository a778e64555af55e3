"""Spanish. Labels are infinitive groups ("pedir un café"), names have their article ("la bebida")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fsmvoice.errors import ReasonCode
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases, ValueKind, between, capital, listed

_FORM: Mapping[ValueKind, str] = {
    "integer": "un número entero",
    "number": "un número",
    "text": "",
    "date": "una fecha",
    "time": "una hora",
    "list": "uno tras otro",
    "details": "con todos los detalles",
}
_LENGTHS: Mapping[ValueKind, tuple[str, str]] = {"text": ("carácter", "caracteres"), "list": ("elemento", "elementos")}
_SOUNDS_O = re.compile(r"h?[oó]", re.IGNORECASE)
_SOUNDS_I = re.compile(r"h?[ií](?![aeou])|y[^aeiouáéíóú]", re.IGNORECASE)


class Spanish(Phrases):
    """Spanish; "tú" unless the locale says formal."""

    language = "es"
    time_pattern: str | None = "H:mm"
    okay = "De acuerdo."
    finished = "Aquí ya hemos terminado."
    broken = "Algo ha fallado."
    wait = "Un momento, por favor."
    start_over = "empezar de nuevo"
    other_choices = "elegir otras opciones"
    starting_over = "De acuerdo, empezamos de nuevo."
    about_action = "Una de las cosas que se pueden hacer, para saber cómo."
    yes = "sí"
    no = "no"
    what_can_i_do: tuple[str, str] = ("¿Qué puedo hacer?", "En qué punto estamos y qué se puede hacer ahora.")

    def __init__(self, tag: str | None = None, *, formal: bool | None = None) -> None:
        super().__init__(tag, formal=formal)
        retry = self._say("Inténtalo de nuevo, por favor.", "Inténtelo de nuevo, por favor.")
        ask = self._say("Pregúntame en qué punto estamos.", "Pregúnteme en qué punto estamos.")
        self.not_heard: str = self._say("No te he entendido.", "No le he entendido.")
        begin = self._say("Empieza una nueva, por favor.", "Empiece una nueva, por favor.")
        unchanged = "y no ha cambiado nada."
        self.failures: Mapping[ReasonCode, str] = {
            "action-failed": f"Lo siento, algo ha fallado {unchanged} {retry}",
            "action-timeout": f"Lo siento, ha tardado demasiado {unchanged} {retry}",
            "busy": "Todavía estoy con la petición anterior. Un momento, por favor.",
            "request-id-reused": f"Lo siento, ha habido una confusión, así que no he hecho nada. {ask}",
            "version-conflict": f"Mientras tanto ha cambiado algo, así que no he hecho nada. {ask}",
            "definition-mismatch": (
                "Me han actualizado desde la última vez y no puedo seguir desde ahí. "
                + self._say("Puedes empezar de nuevo.", "Puede empezar de nuevo.")
            ),
            "session-expired": f"Nuestra última conversación ha caducado. {begin}",
            "session-not-found": f"No encuentro esa conversación. {begin}",
            "limit-exceeded": "Lo siento, ahora mismo es demasiado para mí.",
            "store-unavailable": f"Lo siento, ahora mismo no puedo consultar mis notas {unchanged} {retry}",
            "needs-confirmation": "Para eso necesito un sí o un no claro, así que no he hecho nada.",
            "invalid-arguments": f"Lo siento, no lo he entendido {unchanged}",
            "refused": "Lo siento, ahora mismo no es posible.",
        }

    def _say(self, familiar: str, formal: str) -> str:
        return formal if self.formal else familiar

    def either(self, items: Sequence[str]) -> str:
        return listed(items, "u" if _SOUNDS_O.match(items[-1]) else "o")

    def both(self, items: Sequence[str]) -> str:
        return listed(items, "e" if _SOUNDS_I.match(items[-1]) else "y")

    def can(self, labels: Sequence[str]) -> str:
        you = self._say("Puedes", "Puede")
        if len(labels) > MAX_OPTIONS:
            return f"{you} {', '.join(labels[:MAX_OPTIONS])} o preguntar qué más hay."
        return f"{you} {self.either(labels)}."

    def cannot(self, label: str) -> str:
        return f"Ahora mismo no {self._say('puedes', 'puede')} {label}."

    def cannot_so(self, label: str) -> str:
        return f"Con esas opciones no {self._say('puedes', 'puede')} {label}."

    def can_be(self, name: str, choices: Sequence[str]) -> str:
        return f"Para {name} hay {self.both(choices)}."

    def left_alone(self, label: str) -> str:
        return f"De acuerdo, lo dejamos: {label}. No he cambiado nada."

    def finished_without(self, label: str) -> str:
        return f"Aquí ya hemos terminado, así que ya no {self._say('puedes', 'puede')} {label}."

    def meant(self, labels: Sequence[str]) -> str:
        return f"¿{self._say('Quieres', 'Quiere')} {self.either(labels)}?"

    def which(self, name: str, choices: Sequence[str]) -> str:
        return f"Para {name}, ¿qué {self._say('prefieres', 'prefiere')}: {self.either(choices)}?"

    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        return f"Para {name}, ¿qué {self._say('prefieres', 'prefiere')}, por ejemplo {self.either(examples)}?"

    def whether(self, name: str) -> str:
        return f"{capital(name)}, ¿sí o no?"

    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        form = _FORM[kind]
        if kind in _LENGTHS:
            one, more = _LENGTHS[kind]
            unit = one if (high or low) == "1" else more
            limit = between(
                low,
                high,
                (
                    f"de {{}} a {{}} {unit}",
                    f"de al menos {{}} {unit}",
                    f"de {{}} {unit} como máximo",
                    f"de exactamente {{}} {unit}",
                ),
            )
        else:
            limit = between(low, high, ("entre {} y {}", "a partir de {}", "hasta {}", "igual a {}"))
        form = (", " if kind in _LENGTHS else " ").join(filter(None, (form, limit)))
        return f"¿Qué pongo para {name}, {form}?" if form else f"¿Qué pongo para {name}?"

    def not_a_choice(self, value: str) -> str:
        return f"{capital(value)} no está entre las opciones."

    def not_possible(self, value: str) -> str:
        return f"{capital(value)} no es posible."

    def not_understood(self, name: str) -> str:
        return f"No he entendido {name}."

    def too_long(self, name: str) -> str:
        return f"Eso es demasiado largo para {name}."

    def too_short(self, name: str) -> str:
        return f"Eso es demasiado corto para {name}."

    def also_needed(self, first: str, second: str) -> str:
        return f"Me faltan dos datos: {self.both([first, second])}."

    def also_wrong(self, name: str) -> str:
        return f"Después me hará falta otra vez {name}."

    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        unknown = f"No sé qué es {name}."
        if nearest is not None:
            return f"{unknown} ¿{self._say('Querías', 'Quería')} decir {nearest}?"
        if known:
            return f"{unknown} Para {label}, {self._say('puedes', 'puede')} decirme {self.either(known)}."
        return f"{unknown} Para {label} no necesito más datos."

    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        if always:
            return "Se puede usar en cualquier momento."
        when: list[str] = []
        if prompts:
            when.append("después de " + self.either([f'"{prompt}"' for prompt in prompts]))
        if situations:
            when.append("en esta situación: " + self.either(situations))
        return f"Se usa {' o '.join(when)}." if when else ""

    def tool_status(self, subject: str) -> tuple[str, str]:
        return "¿En qué punto estamos?", (
            f"Dice en qué punto está {subject} y qué se puede hacer ahora, sin cambiar nada. "
            "Se usa al principio, y cuando alguien pregunta qué puede hacer o quiere oírlo otra vez."
        )

    def tool_start_over(self, subject: str) -> tuple[str, str]:
        return "Empezar de nuevo", (
            f"Empieza de nuevo {subject} desde el principio; lo dicho hasta ahora se descarta. "
            "Se puede usar en cualquier momento, cuando alguien quiere empezar de nuevo."
        )

    def tool_start_session(self, subject: str) -> tuple[str, str]:
        return "Empezar una conversación", (
            f"Abre de nuevo {subject}. El resultado contiene su session; dala como session en cada llamada posterior."
        )

    def subject(self, machine: str) -> str:
        return f"la conversación {machine}" if machine else "la conversación"

    def instructions(self, doc: str) -> str:
        how = (
            "Cada herramienta responde con una frase pensada para decirla en voz alta: dila tal cual. "
            "Una negativa dice por qué, y qué se puede hacer en su lugar. Pregunta primero por el estado."
        )
        return f"{self.closed(doc)} {how}" if doc else how
