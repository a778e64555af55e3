"""Japanese. Labels are verb phrases in the dictionary form ("コーヒーを注文する"), names are nouns ("飲み物")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsmvoice.errors import ReasonCode
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases, ValueKind, between

_FORM: Mapping[ValueKind, str] = {
    "integer": "整数で",
    "number": "数字で",
    "text": "",
    "date": "日付で",
    "time": "時刻で",
    "list": "一つずつ",
    "details": "詳しく",
}
_LENGTHS: Mapping[ValueKind, str] = {"text": "文字", "list": "個"}
_RETRY = "もう一度お試しください。"
_ASK = "今の状況をおたずねください。"
_BEGIN = "新しく始めてください。"


class Japanese(Phrases):
    """Japanese in the polite form, whatever the locale says of the register."""

    language = "ja"
    usually_formal = True
    time_pattern: str | None = "H時mm分"
    full_stop = "。"
    spaced = False
    okay = "わかりました。"
    finished = "これで終わりです。"
    broken = "問題が起きました。"
    wait = "少々お待ちください。"
    start_over = "最初からやり直す"
    other_choices = "別の内容を選ぶ"
    starting_over = "わかりました。最初からやり直します。"
    not_heard = "すみません、聞き取れませんでした。"
    what_can_i_do: tuple[str, str] = ("何ができますか？", "今の状況と、今できること。")
    about_action = "できることの一つ。そのやり方を聞けます。"
    yes = "はい"
    no = "いいえ"
    failures: Mapping[ReasonCode, str] = {
        "action-failed": f"申し訳ありません。問題が起きたため、何も変更していません。{_RETRY}",
        "action-timeout": f"申し訳ありません。時間がかかりすぎたため、何も変更していません。{_RETRY}",
        "busy": "前のご依頼を処理しています。少々お待ちください。",
        "request-id-reused": f"申し訳ありません。行き違いがあったため、何もしていません。{_ASK}",
        "version-conflict": f"その間にほかの変更があったため、何もしていません。{_ASK}",
        "definition-mismatch": "前回のあとに更新されたため、続きからは進められません。最初からやり直すことができます。",
        "session-expired": f"前回の会話は期限が切れました。{_BEGIN}",
        "session-not-found": f"その会話が見つかりません。{_BEGIN}",
        "limit-exceeded": "申し訳ありません。今はこれ以上お受けできません。",
        "store-unavailable": f"申し訳ありません。今は記録を読み書きできないため、何も変更していません。{_RETRY}",
        "needs-confirmation": "はいかいいえではっきりお答えいただく必要があるため、何もしていません。",
        "invalid-arguments": "申し訳ありません。わからなかったため、何も変更していません。",
        "refused": "申し訳ありません。今はできません。",
    }

    def asks(self, sentence: str) -> bool:
        return super().asks(sentence) or sentence.rstrip("。 ").endswith(("ですか", "ますか", "ませんか", "でしょうか"))

    def is_question(self, text: str) -> bool:
        return super().is_question(text) or ("か" in text and any(map(self.asks, self.sentences(text))))

    def either(self, items: Sequence[str]) -> str:
        *most, last = items
        return f"{'、'.join(most)}か{last}" if most else last

    def both(self, items: Sequence[str]) -> str:
        *most, last = items
        return f"{'、'.join(most)}と{last}" if most else last

    def can(self, labels: Sequence[str]) -> str:
        said = f"{'か、'.join(labels[:MAX_OPTIONS])}ことができます。"
        return f"{said}ほかにできることもおたずねください。" if len(labels) > MAX_OPTIONS else said

    def cannot(self, label: str) -> str:
        return f"今は{label}ことができません。"

    def cannot_so(self, label: str) -> str:
        return f"その内容では{label}ことができません。"

    def can_be(self, name: str, choices: Sequence[str]) -> str:
        return f"{name}は{self.either(choices)}です。"

    def left_alone(self, label: str) -> str:
        return f"わかりました。{label}のはやめておきます。何も変更していません。"

    def finished_without(self, label: str) -> str:
        return f"これで終わりですので、もう{label}ことはできません。"

    def meant(self, labels: Sequence[str]) -> str:
        return f"{'か、'.join(labels)}か、どちらですか？"

    def which(self, name: str, choices: Sequence[str]) -> str:
        if len(choices) == 1:
            return f"{name}は{choices[0]}でよろしいですか？"
        return f"{name}は{'、'.join(choices)}の{'どちら' if len(choices) == 2 else 'どれ'}にしますか？"

    def which_of_many(self, name: str, examples: Sequence[str]) -> str:
        return f"{name}は何にしますか、たとえば{self.either(examples)}でしょうか？"

    def whether(self, name: str) -> str:
        return f"{name}は、はいですか、いいえですか？"

    def what(self, name: str, kind: ValueKind, low: str | None, high: str | None) -> str:
        form = _FORM[kind]
        unit = _LENGTHS.get(kind, "")
        limit = between(
            low, high, (f"{{}}から{{}}{unit}まで", f"{{}}{unit}以上", f"{{}}{unit}以下", f"ちょうど{{}}{unit}")
        )
        if limit and form:
            form = f"{limit}、{form}" if unit else f"{limit}の{form}"
        elif limit:
            form = f"{limit}で"
        return f"{name}を{form}お願いできますか？" if form else f"{name}を教えていただけますか？"

    def not_a_choice(self, value: str) -> str:
        return f"{value}は選べません。"

    def not_possible(self, value: str) -> str:
        return f"{value}にはできません。"

    def not_understood(self, name: str) -> str:
        return f"{name}がわかりませんでした。"

    def too_long(self, name: str) -> str:
        return f"{name}が長すぎます。"

    def too_short(self, name: str) -> str:
        return f"{name}が短すぎます。"

    def also_needed(self, first: str, second: str) -> str:
        return f"{first}と{second}が必要です。"

    def also_wrong(self, name: str) -> str:
        return f"そのあと{name}もうかがいます。"

    def unknown_detail(self, name: str, nearest: str | None, known: Sequence[str], label: str) -> str:
        unknown = f"{name}が何のことかわかりません。"
        if nearest is not None:
            return f"{unknown}{nearest}のことですか？"
        if known:
            return f"{unknown}{label}には、{self.either(known)}を言ってください。"
        return f"{unknown}{label}のに、ほかの内容はいりません。"

    def moment(self, day: str, time: str) -> str:
        return f"{day}{time}"

    def use_after(self, prompts: Sequence[str], situations: Sequence[str], *, always: bool) -> str:
        if always:
            return "いつでも使えます。"
        when: list[str] = []
        if prompts:
            when.append(self.either([f"「{prompt}」" for prompt in prompts]) + "のあと")
        if situations:
            when.append(self.either(situations) + "の間")
        return f"{'、または'.join(when)}に使います。" if when else ""

    def tool_status(self, subject: str) -> tuple[str, str]:
        return "今の状況", (
            f"{subject}の状況と今できることを、何も変えずに伝えます。"
            "最初に、また、何ができるかを聞かれたときや、もう一度聞きたいときに使います。"
        )

    def tool_start_over(self, subject: str) -> tuple[str, str]:
        return "最初からやり直す", (
            f"{subject}を最初からやり直します。これまでの内容は取り消されます。やり直したいときに、いつでも使えます。"
        )

    def tool_start_session(self, subject: str) -> tuple[str, str]:
        return "会話を始める", (
            f"{subject}を新しく始めます。結果に session が入っているので、以後の呼び出しに session として渡します。"
        )

    def subject(self, machine: str) -> str:
        return f"{machine}の会話" if machine else "会話"

    def instructions(self, doc: str) -> str:
        how = (
            "どのツールも、そのまま読み上げられる文で答えます。そのまま伝えてください。"
            "断るときは、理由と代わりにできることを伝えます。最初に今の状況を確認してください。"
        )
        return f"{self.closed(doc)}{how}" if doc else how
