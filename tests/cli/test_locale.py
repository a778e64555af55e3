"""`fsmvoice locale add`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import COFFEE, Run


def test_it_writes_every_text_beside_the_machine(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("locale", "add", "coffee.py", "de")

    assert result.exit_code == 0
    assert result.stdout == "locales/de.toml: 2 texts to translate\n"
    assert tomllib.loads((folder / "locales" / "de.toml").read_text()) == {
        "machine": "coffee",
        "states": {"idle": {"prompt": ""}},
        "events": {"ORDER": {"label": ""}},
    }


def test_what_is_translated_stays(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    run("locale", "add", "coffee.py", "de")
    path = folder / "locales" / "de.toml"
    mine = path.read_text().replace('label = ""', 'label = "bestellen"  # kurz')
    path.write_text(mine)
    (folder / "coffee.py").write_text(
        COFFEE.replace("done = State(final=True)", 'done = State(final=True, prompt="Bye.")')
    )
    result = run("locale", "add", "coffee.py", "de")

    assert result.stdout == "locales/de.toml: 1 text added, 2 texts to translate\n"
    assert path.read_text().startswith(mine.rstrip("\n"))
    assert '[states."done"]\n# Bye.\nprompt = ""\n' in path.read_text()
    assert run("locale", "add", "coffee.py", "de").stdout == "locales/de.toml: 2 texts to translate\n"
    path.write_text(path.read_text().replace('prompt = ""', 'prompt = "Ja."'))
    assert run("locale", "add", "coffee.py", "de").stdout == "locales/de.toml: complete\n"


def test_a_link_to_a_file_stays_one(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "locales").mkdir()
    (folder / "shared.toml").write_text('[events."ORDER"]\nlabel = "bestellen"\n')
    (folder / "locales" / "de.toml").symlink_to(folder / "shared.toml")
    result = run("locale", "add", "coffee.py", "de")

    assert result.stdout == "shared.toml: 1 text added, 1 text to translate\n"
    assert (folder / "locales" / "de.toml").is_symlink()
    assert 'prompt = ""' in (folder / "shared.toml").read_text()


def test_what_is_stale_is_reported(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "locales").mkdir()
    (folder / "locales" / "de.toml").write_text(
        '[states."idle"]\n# What would you drink?\nprompt = "Was?"\n[states."gone"]\nprompt = "Weg."\n'
    )
    result = run("locale", "add", "coffee.py", "de")

    assert "  stale: [states] gone is not a text of the machine any more\n" in result.stdout
    assert '  look again: the original of [states."idle"] prompt has changed\n' in result.stdout
    assert 'prompt = "Weg."' in (folder / "locales" / "de.toml").read_text()


def test_a_second_machine_of_a_folder_has_a_file_of_its_own(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "tea.py").write_text(COFFEE.replace("class Coffee", "class Tea"))

    assert "locales/de.toml" in run("locale", "add", "coffee.py", "de").stdout
    assert "locales/tea.de.toml" in run("locale", "add", "tea.py", "de").stdout
    assert "locales/de.toml: 2 texts to translate" in run("locale", "add", "coffee.py", "de").stdout


def test_a_config_needs_no_functions_and_has_its_files_beside_it(folder: Path, run: Run) -> None:
    (folder / "shop").mkdir()
    (folder / "shop" / "tea.json").write_text(
        '{"id": "tea", "initial": "a", "states": {"a": {"entry": "boil", "on": {"GO": {"guard": "hot"}}}}}'
    )
    result = run("locale", "add", "shop/tea.json", "pt-BR")

    assert result.exit_code == 0
    assert "shop/locales/pt-BR.toml: 1 text to translate" in result.stdout
    assert "no phrases for the locale 'pt-BR' and speaks English" in result.stderr


def test_where_there_is_nothing_to_translate_nothing_is_written(folder: Path, run: Run) -> None:
    (folder / "mute.json").write_text('{"initial": "a", "states": {"a": {}}}')

    assert run("locale", "add", "mute.json", "de").stdout == "mute.json has no texts to translate\n"
    assert not (folder / "locales").exists()


def test_another_folder_may_be_given(folder: Path, run: Run) -> None:
    (folder / "machine.py").write_text('CONFIG = {"initial": "a", "states": {"a": {"meta": {"prompt": "Hi."}}}}')

    told = run("locale", "add", "machine.py:CONFIG", "de")
    assert told.exit_code == 2
    assert "--folder" in told.stderr
    assert "texts/de.toml: 1 text" in run("locale", "add", "machine.py:CONFIG", "de", "--folder", "texts").stdout


@pytest.mark.parametrize("tag", ["", "german", "../x", "de_", "d", "*"])
def test_a_language_is_a_tag(folder: Path, run: Run, tag: str) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("locale", "add", "coffee.py", tag)

    assert result.exit_code == 2
    assert "write one such as de, pt-BR or zh-Hant" in result.stderr
    assert not (folder / "locales").exists()


def test_a_file_that_can_not_be_read_is_left_alone(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "locales").mkdir()
    (folder / "locales" / "de.toml").write_text("[states\n")
    result = run("locale", "add", "coffee.py", "de")

    assert result.exit_code == 2
    assert "is not valid TOML" in result.stderr
    assert (folder / "locales" / "de.toml").read_text() == "[states\n"


def test_a_file_without_a_place_for_more_is_left_alone(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "locales").mkdir()
    (folder / "locales" / "de.toml").write_text("states = {}\n")
    result = run("locale", "add", "coffee.py", "de")

    assert result.exit_code == 2
    assert '[states."idle"] prompt = ""' in result.stderr
    assert (folder / "locales" / "de.toml").read_text() == "states = {}\n"
