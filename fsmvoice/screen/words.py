"""The view's own texts in each language. The texts of a machine are not among them."""

from __future__ import annotations

from collections.abc import Mapping

from fsmvoice.voice.languages import language_of

Words = Mapping[str, str]

_EN: Words = {
    "loading": "Connecting…",
    "working": "One moment…",
    "failed": "That did not work. Nothing was heard back; please try again.",
    "stopped": "That was stopped before it was done.",
    "startOver": "Start over",
    "actions": "What can be done",
    "back": "Back",
    "choose": "Choose…",
    "optional": "(optional)",
    "true": "Yes",
    "false": "No",
    "inWords": "{name}: to be said in words.",
}
_DE: Words = {
    "loading": "Verbindung wird aufgebaut …",
    "working": "Einen Moment …",
    "failed": "Das ging nicht. Es kam keine Antwort; bitte noch einmal versuchen.",
    "stopped": "Das wurde abgebrochen, bevor es fertig war.",
    "startOver": "Von vorn beginnen",
    "actions": "Was jetzt geht",
    "back": "Zurück",
    "choose": "Auswählen …",
    "optional": "(freiwillig)",
    "true": "Ja",
    "false": "Nein",
    "inWords": "{name}: in Worten zu sagen.",
}
_ES: Words = {
    "loading": "Conectando…",
    "working": "Un momento…",
    "failed": "No ha funcionado. No llegó respuesta; inténtelo de nuevo.",
    "stopped": "Se detuvo antes de terminar.",
    "startOver": "Empezar de nuevo",
    "actions": "Lo que se puede hacer",
    "back": "Atrás",
    "choose": "Elegir…",
    "optional": "(opcional)",
    "true": "Sí",
    "false": "No",
    "inWords": "{name}: se dice con palabras.",
}
_FR: Words = {
    "loading": "Connexion…",
    "working": "Un instant…",
    "failed": "Cela n’a pas marché. Aucune réponse n’est venue ; veuillez réessayer.",
    "stopped": "Cela a été arrêté avant la fin.",
    "startOver": "Recommencer",
    "actions": "Ce qui est possible",
    "back": "Retour",
    "choose": "Choisir…",
    "optional": "(facultatif)",
    "true": "Oui",
    "false": "Non",
    "inWords": "{name} : à dire avec des mots.",
}
_JA: Words = {
    "loading": "接続しています…",
    "working": "お待ちください…",
    "failed": "うまくいきませんでした。応答がありません。もう一度お試しください。",
    "stopped": "終わる前に中止されました。",
    "startOver": "最初からやり直す",
    "actions": "できること",
    "back": "戻る",
    "choose": "選んでください…",
    "optional": "(任意)",
    "true": "はい",
    "false": "いいえ",
    "inWords": "{name}: 言葉で伝えてください。",
}
_LANGUAGES: Mapping[str, Words] = {"en": _EN, "de": _DE, "es": _ES, "fr": _FR, "ja": _JA}


def words_for(locale: str) -> Words:
    """The view's texts in the language of a BCP 47 tag, or else in English."""
    return _LANGUAGES.get(language_of(locale), _EN)


def page_words(locale: str) -> Words:
    """The further texts of the page around the view."""
    return dict(zip(_PAGE_KEYS, _PAGE.get(language_of(locale), _PAGE["en"]), strict=True))


_PAGE_KEYS = (
    "you",
    "machine",
    "elsewhere",
    "connected",
    "lost",
    "aboutShared",
    "aboutOwn",
    "sayIt",
    "send",
    "listen",
    "aloud",
    "machineNow",
    "log",
)
_PAGE: Mapping[str, tuple[str, ...]] = {
    "en": (
        "You",
        "Machine",
        "Another client",
        "Connected",
        "Connection lost, trying again…",
        "A page to tap and watch the conversation that all clients of this server share:",
        "A page to tap and watch a conversation of its own on this server:",
        "Say it, or type what you would say",
        "Send",
        "Listen",
        "Speak the replies",
        "The machine",
        "Said and done",
    ),
    "de": (
        "Sie",
        "Maschine",
        "Anderer Client",
        "Verbunden",
        "Verbindung verloren, neuer Versuch …",
        "Eine Seite für das Gespräch, das alle Clients dieses Servers teilen:",
        "Eine Seite mit einem eigenen Gespräch auf diesem Server:",
        "Sagen oder tippen, was Sie sagen würden",
        "Senden",
        "Zuhören",
        "Antworten vorlesen",
        "Die Maschine",
        "Gesagt und getan",
    ),
    "es": (
        "Usted",
        "Máquina",
        "Otro cliente",
        "Conectado",
        "Conexión perdida, reintentando…",
        "Una página para la conversación que comparten todos los clientes de este servidor:",
        "Una página con una conversación propia en este servidor:",
        "Dígalo, o escriba lo que diría",
        "Enviar",
        "Escuchar",
        "Leer las respuestas",
        "La máquina",
        "Dicho y hecho",
    ),
    "fr": (
        "Vous",
        "Machine",
        "Autre client",
        "Connecté",
        "Connexion perdue, nouvel essai…",
        "Une page pour la conversation que partagent tous les clients de ce serveur :",
        "Une page avec sa propre conversation sur ce serveur :",
        "Dites-le, ou écrivez ce que vous diriez",
        "Envoyer",
        "Écouter",
        "Lire les réponses",
        "La machine",
        "Dit et fait",
    ),
    "ja": (
        "あなた",
        "マシン",
        "別のクライアント",
        "接続中",
        "接続が切れました。再接続しています…",
        "このサーバーの全クライアントが共有する会話のページです:",
        "このサーバー上の、このページだけの会話です:",
        "話すか、言うことを入力してください",
        "送信",
        "聞く",
        "返事を読み上げる",
        "マシン",
        "やりとり",
    ),
}
