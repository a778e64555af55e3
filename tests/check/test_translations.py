"""Locale files are checked, and what they say is checked as the machine's own texts are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.check import Checked, check
from fsmvoice.model.imported import Imported
from fsmvoice.model.parse import parse_config
from tests.check.breaking import machine

COMPLETE = """
[states.idle]
prompt = "Was möchtest du?"
[states.asked]
prompt = "Ein {tea} Tee. Soll ich ihn machen?"
[states.gone]
prompt = "Auf Wiedersehen."
[events.ORDER]
label = "einen Tee bestellen"
utterances = ["[bitte] (bestelle|hole) einen Tee"]
[events.LEAVE]
label = "den Laden verlassen"
utterances = ["(geh|verschwinde)"]
[events.MAKE]
label = "den Tee machen"
utterances = ["(mach|koche) den Tee"]
[events.DROP]
label = "die Bestellung verwerfen"
utterances = ["(verwirf|lass) die Bestellung"]
"""


@pytest.fixture
def german(tmp_path: Path) -> Path:
    (tmp_path / "de.toml").write_text(COMPLETE, encoding="utf-8")
    return tmp_path


def checked(folder: Path) -> Checked:
    return check(Imported(parse_config(machine()), locales=folder))


def changed(folder: Path, old: str, new: str) -> Checked:
    file = folder / "de.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return checked(folder)


def test_a_complete_translation_is_clean(german: Path) -> None:
    assert checked(german).findings == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('label = "den Tee machen"', "", '[events."MAKE"] label is not translated'),
        ("[states.gone]", "[states.gnoe]", "is not a text of the machine"),
        ("{tea} Tee", "{tee} Tee", "the slot {tee}"),
        ("[states.idle]", "[states.idle", "is not valid TOML"),
    ],
)
def test_what_is_missing_unknown_or_unreadable_is_an_error(german: Path, old: str, new: str, told: str) -> None:
    found = changed(german, old, new)
    assert {finding.rule for finding in found.findings} == {"V21"}
    assert any(told in finding.message for finding in found.findings)
    assert any("de.toml" in finding.where for finding in found.findings)
    assert not found.ok


def line_of(start: str) -> str:
    number = next(n for n, text in enumerate(COMPLETE.splitlines(), 1) if text.startswith(start))
    return f"de.toml:{number}"


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("{tea} Tee", "{tee} Tee", "V21", 'prompt = "Ein'),
        ("Soll ich ihn machen?", "Klicken Sie.", "V22", 'prompt = "Ein'),
        ("den Laden verlassen", "einen Tee bestellen", "V06", 'label = "einen Tee'),
        ("(geh|", "(geh[", "V27", 'utterances = ["(geh'),
        ('"Auf Wiedersehen."', '["Auf", 5]', "V21", 'prompt = "Auf'),
    ],
)
def test_what_a_file_says_is_reported_at_its_line(german: Path, old: str, new: str, rule: str, line: str) -> None:
    found = changed(german, old, new).findings
    assert {finding.where.rpartition("/")[2] for finding in found if finding.rule == rule} >= {line_of(line)}


def test_a_slot_that_is_left_out_is_a_warning(german: Path) -> None:
    found = changed(german, "{tea} Tee", "Tee")
    assert [(finding.rule, finding.severity) for finding in found.findings] == [("V21", "warning")]


@pytest.mark.parametrize(
    ("text", "rule"),
    [("Klicken Sie hier.", "V22"), ("Sag ORDER.", "V05"), ("*Hallo*.", "V04"), ("Tee? Sag es.", "V08")],
)
def test_what_a_translation_says_is_checked_too(german: Path, text: str, rule: str) -> None:
    (finding,) = changed(german, "Was möchtest du?", text).findings
    assert (finding.rule, finding.locale, finding.name) == (rule, "de", "idle")


def test_labels_that_are_one_in_another_language_are_reported(german: Path) -> None:
    found = changed(german, "den Laden verlassen", "einen Tee bestellen")
    assert {(finding.rule, finding.locale) for finding in found.findings} >= {("V06", "de")}


def test_a_bridge_is_checked_with_the_languages_it_was_given(german: Path) -> None:
    bridge = create_fsm_mcp_bridge(machine(), locales=german)
    (german / "de.toml").unlink()
    assert check(bridge).ok
