"""Each call is answered in the language of its caller; text and data in the same one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fsmvoice import DefinitionError, DefinitionWarning, create_fsm_mcp_bridge, load
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import LOCALE_META
from tests.voice.localised import GERMAN, write

SHOP: dict[str, Any] = {
    "id": "shop",
    "initial": "a",
    "meta": {"events": {"GO": {"label": "go on"}, "STAY": {"label": "stay"}}},
    "states": {
        "a": {"meta": {"prompt": "Well?"}, "on": {"GO": "b", "STAY": {"meta": {"reason": "Not here."}}}},
        "b": {"meta": {"prompt": "Here we are."}, "on": {"STAY": "b"}},
    },
}
FILE = """
[states."a"]
prompt = "{a}"
[states."b"]
prompt = "{b}"
[events."GO"]
label = "{go}"
[events."STAY"]
label = "{stay}"
[forbidden."a"]
STAY = "{no}"
"""
TEXTS = {
    "de": FILE.format(a="Nun?", b="Da sind wir.", go="weitergehen", stay="bleiben", no="Hier nicht."),
    "fr": FILE.format(a="Alors ?", b="Nous y voilà.", go="continuer", stay="rester", no="Pas ici."),
}


@pytest.fixture
def bridge(tmp_path: Path) -> FsmMcpBridge:
    return create_fsm_mcp_bridge(SHOP, locales=write(tmp_path, **TEXTS))


def caller(*languages: str, meta: str | None = None) -> CallContext:
    told = {} if meta is None else {LOCALE_META: meta}
    return CallContext(None, None, languages[0] if languages else None, told, languages[1:])


async def test_a_session_that_changes_its_language_goes_on_in_it(bridge: FsmMcpBridge) -> None:
    assert (await bridge.call("shop_status", {}, caller("de-AT"))).text == "Du kannst weitergehen. Nun?"
    assert (await bridge.call("shop_stay", {}, caller("fr"))).text == "Pas ici. Vous pouvez continuer."
    assert (await bridge.call("shop_go", {}, caller("de"))).text == "Da sind wir. Du kannst bleiben."
    assert (await bridge.call("shop_status", {})).text == "Here we are. You can stay."
    assert (await bridge.call("shop_start_over", {}, caller("fr-CA"))).text == "D'accord, on recommence. Alors ?"


async def test_what_the_request_says_comes_before_what_the_client_is_set_to(bridge: FsmMcpBridge) -> None:
    assert (await bridge.call("shop_status", {}, caller("fr", meta="de"))).text.startswith("Du kannst")
    assert (await bridge.call("shop_status", {}, caller("tlh", "fr", "de"))).text.startswith("Vous pouvez")
    assert (await bridge.call("shop_status", {}, caller(meta="tlh"))).text.startswith("You can")


async def test_text_and_data_are_in_one_language(bridge: FsmMcpBridge) -> None:
    facts = (await bridge.call("shop_status", {}, caller("de"))).structured

    assert facts["actions"] == [{"event": "GO", "label": "weitergehen", "tool": "shop_go"}]
    assert facts["state"]["blockedEvents"] == [{"event": "STAY", "reason": "guard-rejected", "say": "Hier nicht."}]
    assert '"Hier nicht."' in await bridge.read("fsm://state", caller("de"))


async def test_failures_and_prompts_are_in_the_callers_language(bridge: FsmMcpBridge) -> None:
    lost = await bridge.call("shop_status", "nonsense", caller("de"))
    (prompt,) = bridge.prompts

    assert lost.text == "Entschuldigung, das habe ich nicht verstanden, und es hat sich nichts geändert."
    assert await prompt.read({"action": "weitergehen"}, caller("de")) == "Du kannst weitergehen."
    assert await prompt.complete("action", "weiter", {}, caller("de")) == ["weitergehen"]


async def test_a_bridge_may_have_another_language_by_default(tmp_path: Path) -> None:
    bridge = create_fsm_mcp_bridge(SHOP, locales=write(tmp_path, **TEXTS), locale="de")

    assert (await bridge.call("shop_status", {})).text == "Du kannst weitergehen. Nun?"
    assert (await bridge.call("shop_status", {}, caller("fr"))).text == "Vous pouvez continuer. Alors ?"


async def test_a_json_file_has_its_languages_in_the_folder_beside_it(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_text(
        '{"id": "shop", "initial": "a", "states": {"a": {"meta": {"prompt": "Well?"}, "on": {"GO": {"actions": []}}}}}'
    )
    (tmp_path / "locales").mkdir()
    write(tmp_path / "locales", de='[states."a"]\nprompt = "Nun?"\n[events."GO"]\nlabel = "weitergehen"\n')
    bridge = create_fsm_mcp_bridge(load(tmp_path / "shop.json"))

    assert (await bridge.call("shop_status", {}, caller("de"))).text == "Du kannst weitergehen. Nun?"


def test_doubts_about_a_file_are_warnings_and_wrong_ones_are_errors(tmp_path: Path) -> None:
    write(tmp_path, de=TEXTS["de"].replace("weitergehen", ""))
    with pytest.warns(DefinitionWarning, match=r'\[events\."GO"\] label is not translated'):
        create_fsm_mcp_bridge(SHOP, locales=tmp_path)
    write(tmp_path, de=TEXTS["de"].replace("Nun?", "Nun, {name}?"))
    with pytest.raises(DefinitionError, match=r"de\.toml.*has the slot \{name\}"):
        create_fsm_mcp_bridge(SHOP, locales=tmp_path)
    write(tmp_path, de=GERMAN[:-2])
    with pytest.raises(DefinitionError, match="is not valid TOML"):
        create_fsm_mcp_bridge(SHOP, locales=tmp_path)
