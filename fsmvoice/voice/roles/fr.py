"""French."""
# ruff: noqa: E501 - lists of phrases read better in full lines

from fsmvoice.voice.roles.numerals import Numerals
from fsmvoice.voice.roles.roles import Roles

FRENCH = Roles(
    "fr",
    {
        "yes": (
            "oui", "ouais", "ouaip", "oui merci", "oui s'il vous plaît", "oui s'il te plaît", "bien sûr", "certainement",
            "absolument", "tout à fait", "exactement", "exact", "c'est ça", "c'est exact", "c'est bon", "c'est correct",
            "c'est juste", "d'accord", "okay", "ok", "bien", "très bien", "parfait", "super", "génial", "volontiers",
            "avec plaisir", "allez-y", "vas-y", "allons-y", "je confirme", "confirmer", "confirmez", "confirme", "entendu",
            "ça marche", "ça va", "ça me va", "pourquoi pas", "si", "mais oui", "c'est parti", "faites", "fais-le",
        ),
        "no": (
            "non", "non merci", "nan", "pas du tout", "surtout pas", "jamais", "pas maintenant", "pas encore", "annuler",
            "annule", "annulez", "annule ça", "arrête", "arrêtez", "stop", "laisse tomber", "laissez tomber", "oublie",
            "oubliez", "oublie ça", "tant pis", "c'est faux", "faux", "ce n'est pas ça", "c'est pas ça", "ce n'est pas correct",
            "ce n'est pas bon", "je ne veux pas", "je n'en veux pas", "j'ai changé d'avis", "je préfère pas",
            "ce n'est pas ce que je voulais", "pas ça", "mais non",
        ),
        "help": (
            "aide", "à l'aide", "aidez-moi", "aide-moi", "qu'est-ce que je peux dire", "qu'est-ce que je peux faire",
            "que puis-je dire", "que puis-je faire", "que pouvez-vous faire", "qu'est-ce que tu sais faire",
            "qu'est-ce que vous avez", "qu'est-ce qu'il y a", "quelles sont les options", "quels sont les choix", "options",
            "le menu", "menu", "la carte", "je ne sais pas", "je sais pas", "je ne comprends pas", "comment ça marche",
            "et maintenant", "quoi d'autre", "plus",
        ),
        "repeat": (
            "répète", "répétez", "répéter", "répétez ça", "pouvez-vous répéter", "encore", "encore une fois", "pardon",
            "comment", "quoi", "hein", "qu'est-ce que vous avez dit", "qu'avez-vous dit", "qu'est-ce que tu as dit",
            "je n'ai pas compris", "je n'ai pas entendu", "j'ai pas compris", "j'ai pas entendu", "redites",
        ),
        "status": (
            "où en sommes-nous", "où en est-on", "on en est où", "où en étais-je", "quel est le statut", "statut", "état",
            "que se passe-t-il", "qu'est-ce qui se passe", "qu'est-ce que j'ai commandé", "du nouveau",
        ),
        "start_over": (
            "recommencer", "recommence", "recommencez", "recommençons", "tout recommencer", "depuis le début", "du début",
            "repartir de zéro", "repartons de zéro", "reprendre au début", "redémarrer", "réinitialiser",
        ),
    },
    stops=("oui", "non", "stop", "annuler", "annule"),
    negations=("non", "pas", "ne", "n", "jamais", "sans", "aucun", "aucune", "rien", "ni"),
    questions=("comment", "pourquoi", "qui", "où", "quand", "quoi", "quel", "quelle", "quels", "quelles", "combien", "qu"),
    hesitations=("euh", "heu", "hum", "hmm", "bah", "ben", "bon"),
    softeners=("vraiment", "juste", "peut-être", "aussi", "plutôt", "simplement"),
    leads=(
        "s'il vous plaît", "s'il te plaît", "alors", "bon", "eh bien", "et", "mais", "bonjour", "bonsoir", "salut", "merci",
        "excusez-moi", "pardon", "je crois", "je pense", "est-ce que je peux", "est-ce que je pourrais", "je peux",
        "je pourrais", "puis-je", "pourrais-je", "peux-tu", "pouvez-vous", "pourriez-vous", "tu peux", "vous pouvez",
        "je veux", "je voudrais", "j'aimerais", "je vais", "on va", "nous voudrions", "il faut", "okay", "ok", "d'accord",
        "est-ce que je peux avoir", "je peux avoir", "je pourrais avoir", "est-ce que je pourrais avoir", "puis-je avoir", "pourrais-je avoir",
        "je vais prendre", "je prends", "je prendrai", "je prendrais", "je vous prends", "donnez-moi", "donne-moi", "mettez-moi", "mets-moi", "faites-moi", "fais-moi",
        "apportez-moi", "servez-moi", "pour moi", "pour moi ce sera", "ce sera", "il me faut", "il me faudrait", "j'ai envie d", "j'ai besoin d", "je voudrais commander",
        "je veux commander", "j'aimerais commander", "j'aimerais avoir", "je voudrais avoir", "pouvez-vous me faire", "pourriez-vous me faire", "pouvez-vous me donner", "auriez-vous",
    ),
    trails=(
        "s'il vous plaît", "s'il te plaît", "svp", "stp", "merci", "merci beaucoup", "maintenant", "tout de suite",
        "aujourd'hui", "alors", "pour moi", "si possible", "si c'est possible", "okay", "ok", "d'accord",
    ),
    articles=("un", "une", "le", "la", "les", "des", "du", "de", "d", "l", "mon", "ma", "mes", "ce", "cette"),
    openings={"yes": ("oui", "ouais", "d'accord", "bien sûr"), "no": ("non", "nan", "non merci")},
    plural=("s", "x"),
    corrections=(
        "non", "attends", "attendez", "non attends", "non attendez", "pardon", "non pardon", "je veux dire", "non je veux dire", "plutôt",
        "non plutôt", "ou plutôt", "enfin", "non enfin", "enfin non", "finalement", "non finalement", "en fait", "non en fait", "je voulais dire",
        "désolé", "non désolé",
    ),
    contrasts=("mais", "plutôt"),
    holds=("attends", "attendez", "un instant", "un moment"),
    attached=("ne", "n", "pas", "jamais", "sans", "veux"),
    open=("ou", "tard"),
    dangling=("de", "un", "une", "avec", "et", "ou", "pour", "mon", "du", "des", "à"),
    inversions=(
        "est ce que", "est ce", "est il", "est elle", "as tu", "avez vous", "a t il", "a t on", "ai je", "dois je", "faut il", "y a t il",
        "vous avez", "tu as",
    ),
    numerals=Numerals(
        ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
        repeats={"double": 2, "triple": 3},
        counts={"une paire de": 2, "une demi douzaine de": 6, "une demi douzaine": 6, "une douzaine de": 12, "une douzaine": 12},
        minus=("moins",),
        point="virgule",
        thousands="\u202f",
        endings=("er", "ere", "re", "e", "eme"),
        no_ordinal=("un", "une"),
        behind=("douzaines", "cents", "mille", "millions", "virgule", "et demi", "et demie", "et quart", "moins le quart", "heures et demie", "heures trente"),
    ),
)  # fmt: skip
