"""German."""
# ruff: noqa: E501 - lists of phrases read better in full lines

from fsmvoice.voice.roles.numerals import Numerals
from fsmvoice.voice.roles.roles import Roles

GERMAN = Roles(
    "de",
    {
        "yes": (
            "ja", "jawohl", "jo", "jep", "jepp", "ja bitte", "ja gerne", "gerne", "gern", "klar", "na klar", "sicher",
            "natürlich", "selbstverständlich", "genau", "richtig", "stimmt", "das stimmt", "das ist richtig", "korrekt",
            "passt", "das passt", "passt so", "in ordnung", "okay", "ok", "gut", "alles klar", "einverstanden", "perfekt",
            "super", "prima", "mach das", "mach es", "machen sie das", "tu das", "bestätigen", "bestätigt", "ich bestätige",
            "auf jeden fall", "unbedingt", "so ist es", "das ist es", "weiter", "los", "mhm", "aber ja", "doch",
        ),
        "no": (
            "nein", "nee", "nö", "ne", "nein danke", "nicht", "lieber nicht", "bitte nicht", "auf keinen fall", "keinesfalls",
            "niemals", "falsch", "das ist falsch", "das stimmt nicht", "stimmt nicht", "nicht richtig", "das ist nicht richtig",
            "abbrechen", "abbruch", "brich ab", "stopp", "stop", "halt", "stornieren", "storniere das", "vergiss es",
            "vergessen sie es", "lass es", "lass das", "lassen sie es", "doch nicht", "egal", "schon gut", "nicht jetzt",
            "noch nicht", "ich will das nicht", "das will ich nicht", "das wollte ich nicht", "ich möchte nicht",
            "ich habe es mir anders überlegt", "anders überlegt", "das war nicht gemeint", "das meinte ich nicht",
        ),
        "help": (
            "hilfe", "hilf mir", "helfen sie mir", "was kann ich sagen", "was kann ich tun", "was kann ich machen",
            "was kannst du", "was können sie", "was geht", "was gibt es", "was gibt es alles", "was habt ihr", "was haben sie",
            "welche möglichkeiten gibt es", "welche möglichkeiten habe ich", "optionen", "menü", "karte", "die karte",
            "ich weiß nicht", "ich weiß es nicht", "ich verstehe nicht", "wie geht das", "wie funktioniert das", "und jetzt",
            "was jetzt", "was nun", "mehr", "was steht zur auswahl", "was ist möglich",
        ),
        "repeat": (
            "wiederholen", "wiederhole das", "wiederholen sie das", "bitte wiederholen", "noch einmal", "nochmal", "noch mal",
            "sag das noch einmal", "sag das nochmal", "sagen sie das noch einmal", "wie bitte", "bitte", "was", "hä",
            "was hast du gesagt", "was haben sie gesagt", "was war das", "ich habe das nicht verstanden",
            "das habe ich nicht verstanden", "ich habe nichts gehört", "entschuldigung", "wie war das",
        ),
        "status": (
            "status", "wo sind wir", "wo waren wir", "wo war ich", "wie weit sind wir", "wie ist der stand", "was ist der stand",
            "was passiert", "was passiert gerade", "was ist los", "wie steht es", "was habe ich bestellt", "gibt es neues", "wo stehen wir", "wie sieht es aus", "wie läuft es", "wie ist die lage", "was machen wir gerade",
        ),
        "start_over": (
            "neu anfangen", "neu beginnen", "von vorne", "von vorn", "noch einmal von vorne", "nochmal von vorne",
            "fang von vorne an", "fangen wir von vorne an", "von vorne anfangen", "neustart", "neu starten", "zurücksetzen",
            "alles auf anfang", "alles zurück", "zurück zum anfang",
        ),
    },
    stops=("ja", "nein", "stopp", "stop", "abbrechen"),
    negations=("nicht", "nein", "kein", "keine", "keinen", "keiner", "keines", "nie", "niemals", "ohne", "nichts", "weder"),
    questions=("wie", "warum", "wieso", "weshalb", "wer", "wem", "wen", "wessen", "wo", "wann", "was", "welche", "welcher", "welches", "wieviel", "ob"),
    hesitations=("äh", "ähm", "hm", "hmm", "öh", "tja", "naja"),
    softeners=("bitte", "mal", "doch", "eigentlich", "einfach", "vielleicht", "gerne", "gern", "noch", "eben", "halt", "wirklich"),
    leads=(
        "bitte", "also", "okay", "ok", "gut", "nun", "dann", "und", "aber", "hallo", "hi", "guten tag", "guten morgen",
        "guten abend", "servus", "moin", "entschuldigung", "danke", "ich glaube", "ich denke", "kann ich", "könnte ich",
        "können wir", "könnten wir", "kannst du", "könntest du", "können sie", "könnten sie", "würdest du", "würden sie",
        "darf ich", "dürfte ich", "lass uns", "ich möchte", "wir möchten", "ich würde", "ich würde gerne", "ich will",
        "für mich",
        "ich nehme", "ich nehm", "ich nehme dann", "ich hätte gerne", "ich hätte gern", "ich hätte", "ich bekomme", "ich kriege", "ich brauche", "ich will gerne",
        "ich möchte gerne", "ich möchte gern", "gib mir", "geben sie mir", "gebt mir", "mach mir", "machen sie mir", "bring mir", "bringen sie mir",
        "für mich bitte", "einmal", "kann ich bitte", "könnte ich bitte", "wäre es möglich", "ich hätte lust auf", "wie wäre es mit", "dann nehme ich", "ich hätte da gern",
    ),
    trails=(
        "bitte", "danke", "vielen dank", "danke schön", "dankeschön", "jetzt", "gleich", "sofort", "heute", "dann", "mal",
        "für mich", "okay", "ok", "wenn es geht", "wenn möglich", "bitte schön", "bitteschön", "doch", "lieber", "bestellen",
        "haben", "bekommen", "nehmen", "wäre gut", "wäre nett", "wäre toll",
    ),
    articles=("ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem", "bitte", "mein", "meine", "meinen"),
    contractions={"n": "ein", "nen": "einen", "ne": "ne", "hab": "habe", "möcht": "möchte", "hätt": "hätte", "wär": "wäre", "ok": "okay"},
    endings={"'s": "es"},
    openings={"yes": ("ja", "jo", "jep", "klar", "gerne"), "no": ("nein", "nee", "nö", "nein danke")},
    plural=("s", "n", "en", "e"),
    corrections=(
        "nein", "warte", "nein warte", "warte nein", "moment", "nein moment", "nein doch", "doch lieber", "nein lieber", "nee lieber",
        "lieber doch", "ich meine", "nein ich meine", "ich meinte", "entschuldigung", "nein entschuldigung", "sorry", "quatsch",
        "beziehungsweise", "besser gesagt", "vielmehr", "korrektur", "ach nein", "halt nein", "nein halt", "nee", "nee warte", "mach daraus",
    ),
    contrasts=("sondern", "aber", "lieber"),
    holds=("warte", "moment", "einen moment", "halt"),
    attached=("nicht", "nie", "niemals", "kein", "keine", "keinen", "ohne"),
    open=("oder", "später", "irgendwann"),
    dangling=("zu", "ein", "eine", "einen", "und", "oder", "mit", "für", "mein", "meine", "den", "von"),
    inversions=(
        "ist", "sind", "war", "waren", "bin ich", "bist du", "hast", "habt", "hat", "habe ich", "haben sie", "haben wir", "muss", "müssen wir",
        "soll ich", "sollen wir", "sollte ich", "gibt es", "wurde", "wird", "kostet", "stimmt es", "läuft", "geht",
    ),
    numerals=Numerals(
        ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"),
        zeros=("zero",),
        repeats={"doppel": 2, "zweimal": 2, "dreimal": 3},
        counts={"zwo": 2, "ein paar": 2, "ein dutzend": 12, "ein halbes dutzend": 6},
        point="komma",
        thousands=".",
        longer={"hundert": "hundertund"},
        endings=("te", "ten", "ter"),
        no_ordinal=("ein", "eine", "einen"),
        before=("halb", "viertel nach", "viertel vor", "viertel", "dreiviertel", "kurz nach", "kurz vor"),
        behind=("dutzend", "hundert", "tausend", "millionen", "komma", "uhr dreißig", "einhalb", "und ein halb"),
    ),
)  # fmt: skip
