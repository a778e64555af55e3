"""The file for a translator: all texts of a machine, and what is added to it later."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.locale_files import LocaleFile
from fsmvoice.model.parse import parse_config
from fsmvoice.voice.locales import findings_in, locale_findings, missing
from fsmvoice.voice.stub import Stub, Unmergeable, merged_stub, new_stub
from tests.voice.localised import GERMAN, shop, write


def merged(chart: Chart, text: str) -> Stub:
    file = LocaleFile("de", Path("de.toml"), tomllib.loads(text))
    stale = [finding.key for finding in findings_in(chart, file) if finding.kind == "unknown"]
    return merged_stub(chart, file, text, stale)


def test_a_new_file_holds_every_text_with_its_original_above_it(tmp_path: Path) -> None:
    stub = new_stub(shop(), "de")
    chart = shop(write(tmp_path, de=stub.text))

    assert {finding.kind for finding in locale_findings(chart)} == {"missing"}
    assert [finding.key for finding in locale_findings(chart)] == list(stub.added) == missing(chart, "de")
    assert '[states."closed"]\n# It is closed. Open it?\n# Say open.\nprompt = ["", ""]\n' in stub.text
    assert '[events."PICK"]\n# pick\nlabel = ""\n# [a] {size}\nutterances = []\n' in stub.text


def test_what_is_translated_stays_and_what_is_missing_is_added_in_its_place() -> None:
    text = '# my own note\n[events."OPEN"]\nlabel = "öffnen"  # short\n\n[guards."keyed"]\nreason = "Nein."\n'
    stub = merged(shop(), text)
    data = tomllib.loads(stub.text)

    assert stub.text.startswith('# my own note\n[events."OPEN"]\nlabel = "öffnen"  # short\n# It is open.\nsays = ""\n')
    assert data["guards"]["keyed"]["reason"] == "Nein."
    assert data["events"]["OPEN"] == {"label": "öffnen", "says": "", "confirm": "", "working": ""}
    assert ("events", "OPEN", "label") not in stub.added
    assert merged(shop(), stub.text).added == ()
    assert merged(shop(), stub.text).text == stub.text


@pytest.mark.parametrize(
    "name", ['a"b', "a\nb", "a\\b", "\x00", "\x7f", "\x85", "\u2028", "\u202e", "a]b", " ", "=", "💥"]
)
def test_names_of_any_kind_are_keys(name: str) -> None:
    states = {name: {"meta": {"prompt": "Hello."}, "on": {name: name}}}
    chart = compile_chart(parse_config({"id": name, "initial": name, "states": states}), Behaviour())

    data = tomllib.loads(new_stub(chart, "de").text)
    assert (data["machine"], data["states"][name], list(data["events"])) == (name, {"prompt": ""}, [name])


def test_a_text_may_hold_what_other_readers_take_for_the_end_of_a_line() -> None:
    text = '[events."OPEN"]\nlabel = "öff\u2028nen\u0085"\n'

    assert tomllib.loads(merged(shop(), text).text)["events"]["OPEN"]["label"] == "öff\u2028nen\u0085"


def test_a_complete_file_is_left_as_it_is() -> None:
    stub = merged(shop(), GERMAN)

    assert stub.text == GERMAN
    assert (stub.added, stub.stale, stub.changed) == ((), (), ())


def test_what_is_no_longer_text_is_reported_and_kept() -> None:
    stub = merged(shop(), f'{GERMAN}\n[events."GONE"]\nlabel = "weg"\n')

    assert stub.stale == (("events", "GONE"),)
    assert '[events."GONE"]' in stub.text


def test_an_original_that_reads_differently_now_is_reported() -> None:
    text = GERMAN.replace("reason =", "# You have no key at all.\nreason =")

    assert merged(shop(), text).changed == (("guards", "keyed", "reason"),)


@pytest.mark.parametrize("table", ["[events.OPEN]", "[ events . 'OPEN' ]", '[events."OPEN"] # x'])
def test_tables_are_found_however_they_are_spelt(table: str) -> None:
    stub = merged(shop(), f'{table}\nlabel = "öffnen"\n')

    assert tomllib.loads(stub.text)["events"]["OPEN"]["confirm"] == ""


@pytest.mark.parametrize("text", ["events = {OPEN = {label = 'x'}}\n", 'says = """\n[events."OPEN"]\n"""\n'])
def test_a_file_without_a_place_for_what_is_missing_is_not_touched(text: str) -> None:
    with pytest.raises(Unmergeable, match=r'add these lines yourself:\n.*prompt = ""'):
        merged(shop(), text)
