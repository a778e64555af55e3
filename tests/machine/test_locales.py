"""A class finds its locale files beside the file that defines it, and those of the classes it derives from."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fsmvoice import DefinitionError, create_fsm_mcp_bridge
from fsmvoice.voice.reply import make_speech

BASE = """
from fsmvoice import State, VoiceMachine, spoken, transition

class Shop(VoiceMachine, id="shop"):
    a = State(initial=True, prompt="Well?")

    @spoken("go on")
    @transition("GO", source=a)
    def go(self) -> None: ...
"""
DERIVED = """
from {base} import Shop

class Bakery(Shop, id="bakery"):
    pass
"""
GERMAN = '[states."a"]\nprompt = "Nun?"\n[events."GO"]\nlabel = "weitergehen"\n'


def module(path: Path, text: str) -> ModuleType:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    return found


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_folder_beside_the_class_is_read_when_a_language_is_asked_for(tmp_path: Path) -> None:
    shop = module(tmp_path / "locale_shop_one.py", BASE).Shop
    write(tmp_path / "locales" / "de.toml", GERMAN)
    machine = shop()

    assert machine.say() == "You can go on. Well?"
    assert make_speech("en").speaking(shop.chart, ["de"]).status(machine.snapshot) == "Du kannst weitergehen. Nun?"


def test_a_file_that_nobody_asked_for_is_not_read(tmp_path: Path) -> None:
    shop = module(tmp_path / "locale_shop_five.py", BASE).Shop
    write(tmp_path / "locales" / "de.toml", "[broken")

    assert shop().say() == "You can go on. Well?"
    with pytest.raises(DefinitionError, match=r"de\.toml.*is not valid TOML"):
        create_fsm_mcp_bridge(shop)


def test_a_derived_class_says_what_its_base_has_in_other_languages(tmp_path: Path) -> None:
    module(tmp_path / "shops" / "locale_shop_two.py", BASE)
    write(tmp_path / "shops" / "locales" / "shop.de.toml", GERMAN)
    derived = DERIVED.format(base="locale_shop_two")
    bakery = module(tmp_path / "bakeries" / "locale_bakery.py", derived).Bakery
    write(tmp_path / "bakeries" / "locales" / "de.toml", '[events."GO"]\nlabel = "backen"')

    assert make_speech("en").speaking(bakery.chart, ["de"]).status(bakery().snapshot) == "Du kannst backen. Nun?"


def test_a_class_in_german_speaks_german_by_itself(tmp_path: Path) -> None:
    text = BASE.replace('id="shop"', 'id="shop", locale="de-x-formal"').replace("go on", "weitergehen")
    shop = module(tmp_path / "locale_shop_three.py", text.replace("Well?", "Nun?")).Shop

    assert shop().say() == "Sie können weitergehen. Nun?"


def test_a_class_has_its_files_beside_it_and_nowhere_else(tmp_path: Path) -> None:
    shop = module(tmp_path / "locale_shop_four.py", BASE).Shop

    with pytest.raises(DefinitionError, match="takes no locales"):
        create_fsm_mcp_bridge(shop, locales=tmp_path)
