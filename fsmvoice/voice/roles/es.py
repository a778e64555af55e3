"""Spanish."""
# ruff: noqa: E501 - lists of phrases read better in full lines

from fsmvoice.voice.roles.numerals import Numerals
from fsmvoice.voice.roles.roles import Roles

SPANISH = Roles(
    "es",
    {
        "yes": (
            "sí", "sí por favor", "sí gracias", "claro", "claro que sí", "por supuesto", "desde luego", "seguro", "vale",
            "okay", "ok", "de acuerdo", "está bien", "bien", "muy bien", "perfecto", "genial", "estupendo", "exacto",
            "exactamente", "correcto", "es correcto", "eso es", "así es", "adelante", "hazlo", "hágalo", "confirmar",
            "confirma", "confirmo", "confirmado", "venga", "dale", "cómo no", "por qué no", "me parece bien", "sin duda",
            "afirmativo", "eso está bien", "así está bien",
        ),
        "no": (
            "no", "no gracias", "qué va", "para nada", "de ninguna manera", "nunca", "ahora no", "todavía no", "aún no",
            "cancelar", "cancela", "cancele", "cancélalo", "para", "pare", "alto", "detente", "olvídalo", "olvídelo", "déjalo",
            "déjelo", "da igual", "está mal", "eso está mal", "no está bien", "no es correcto", "incorrecto", "no es eso",
            "eso no", "no quiero", "no lo quiero", "he cambiado de idea", "cambié de opinión", "mejor no",
            "no es lo que quería", "eso no es lo que quería", "no lo hagas", "negativo",
        ),
        "help": (
            "ayuda", "ayúdame", "ayúdeme", "qué puedo decir", "qué puedo hacer", "qué puedes hacer", "qué sabes hacer",
            "qué tienes", "qué tenéis", "qué tienen", "qué hay", "qué opciones hay", "qué opciones tengo",
            "cuáles son las opciones", "opciones", "menú", "el menú", "la carta", "no sé", "no lo sé", "no entiendo",
            "cómo funciona", "cómo funciona esto", "y ahora", "y ahora qué", "qué más", "más",
        ),
        "repeat": (
            "repite", "repita", "repetir", "repite eso", "repítelo", "repítalo", "puedes repetir", "puede repetir", "otra vez",
            "una vez más", "de nuevo", "cómo", "perdón", "perdona", "disculpa", "qué", "qué has dicho", "qué dijiste",
            "qué ha dicho", "no te he oído", "no he oído", "no te oí", "no he entendido", "no entendí",
        ),
        "status": (
            "estado", "dónde estamos", "por dónde vamos", "dónde estaba", "cómo va", "cómo vamos", "cuál es el estado",
            "qué pasa", "qué está pasando", "qué he pedido", "qué pedí", "hay novedades",
        ),
        "start_over": (
            "empezar de nuevo", "empieza de nuevo", "volver a empezar", "vuelve a empezar", "desde el principio",
            "desde cero", "empezar desde cero", "reiniciar", "reinicia", "empecemos de nuevo", "comenzar de nuevo",
        ),
    },
    stops=("sí", "no", "cancelar", "cancela", "alto"),
    negations=("no", "nunca", "jamás", "sin", "ningún", "ninguna", "ninguno", "nada", "ni", "tampoco"),
    questions=("cómo", "por qué", "quién", "dónde", "cuándo", "qué", "cuál", "cuáles", "cuánto", "cuánta", "cuántos"),
    hesitations=("eh", "em", "este", "mmm", "hmm", "pues"),
    softeners=("realmente", "solo", "quizás", "quizá", "también", "simplemente", "mejor"),
    leads=(
        "por favor", "bueno", "vale", "entonces", "y", "pero", "hola", "buenos días", "buenas tardes", "buenas noches",
        "buenas", "perdón", "disculpa", "gracias", "creo que", "me gustaría", "quiero", "quisiera", "querría", "quería",
        "puedo", "podría", "podemos", "puedes", "puede", "podrías", "voy a", "vamos a", "necesito", "okay", "ok",
        "quiero pedir", "quisiera pedir", "me gustaría pedir", "me gustaría tomar", "voy a tomar", "voy a querer", "puedo tomar", "puedo pedir",
        "me puedes poner", "me pone", "me pones", "ponme", "póngame", "dame", "deme", "me das", "me da", "tráeme", "tráigame", "me trae", "me traes",
        "para mí", "yo quiero", "yo quería", "tomaré", "necesito", "me apetece", "qué tal", "hazme", "hágame", "pues", "podría ponerme", "podría traerme", "puedes darme", "puede darme",
    ),
    trails=(
        "por favor", "gracias", "muchas gracias", "ahora", "ahora mismo", "ya", "hoy", "entonces", "para mí", "si es posible",
        "vale", "okay", "ok",
    ),
    articles=("un", "una", "unos", "unas", "el", "la", "los", "las", "de", "del", "mi", "mis", "este", "esta"),
    openings={"yes": ("sí", "claro", "vale"), "no": ("no", "no gracias")},
    plural=("s", "es"),
    corrections=(
        "no", "espera", "no espera", "espere", "no espere", "perdón", "no perdón", "perdona", "digo", "no digo", "quiero decir", "quise decir",
        "mejor", "no mejor", "mejor dicho", "o mejor", "o mejor dicho", "más bien", "corrijo", "en realidad", "no en realidad",
    ),
    contrasts=("sino", "pero", "mejor"),
    holds=("espera", "espere", "un momento", "un segundo"),
    attached=("no", "nunca", "jamás", "sin", "quiero", "tampoco"),
    open=("o", "luego", "después"),
    dangling=("de", "un", "una", "con", "y", "o", "para", "mi", "a", "el", "los", "las"),
    inversions=("has", "ha", "hay", "he", "tengo que", "tienes", "tiene", "tenéis", "tienen", "debo", "es que", "cuesta", "puedo cambiar"),
    numerals=Numerals(
        ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
        repeats={"doble": 2, "triple": 3},
        counts={"un par de": 2, "un par": 2, "media docena de": 6, "media docena": 6, "una docena de": 12, "una docena": 12},
        minus=("menos",),
        point="coma",
        thousands=".",
        endings=("o", "a", "er", "do", "ro", "ra", "to", "ta"),
        no_ordinal=("un", "una"),
        before=("media",),
        behind=("docenas", "cientos", "mil", "millones", "coma", "y media", "y medio", "y cuarto", "menos cuarto", "de la tarde", "de la noche"),
    ),
)  # fmt: skip
