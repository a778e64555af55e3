"""Each example's forms, in Python and in react-jsonschema-form itself."""

from __future__ import annotations

import importlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.coffee import Coffee
from fsmvoice import FsmMcpBridge, VoiceMachine, create_fsm_mcp_bridge
from fsmvoice.cli.screens import screens_of
from fsmvoice.model.chart import Chart
from fsmvoice.screen.rjsf import rjsf
from fsmvoice.screen.screen import screen
from fsmvoice.server.announce import example_arguments
from tests.screen.cafe import Bar
from tests.screen.checking import Schema
from tests.server.browser.cafe import Cafe
from tests.tools import TOOLS, node_tool

EXAMPLES = Path(__file__).parents[2] / "examples"


def charts() -> Iterator[tuple[str, Chart]]:
    yield "bar", Bar.chart
    yield "cafe", Cafe.chart
    for path in sorted(EXAMPLES.glob("*.py")):
        module = importlib.import_module(f"examples.{path.stem}")
        for name, found in vars(module).items():
            if isinstance(found, FsmMcpBridge):
                yield f"{path.stem}:{name}", found.chart
            elif is_machine(found) and found.__module__ == module.__name__:
                yield f"{path.stem}:{name}", create_fsm_mcp_bridge(found).chart


def is_machine(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, VoiceMachine)


CHARTS = dict(charts())


def forms(chart: Chart) -> Iterator[dict[str, Any]]:
    for _, shown in screens_of(chart):
        for form in rjsf(shown).values():
            yield {**form, "good": list(good(form["schema"])), "bad": list(bad(form["schema"]))}


def good(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    least = example_arguments(schema)
    yield least
    for name, field in schema["properties"].items():
        for choice in field.get("enum", ()):
            yield {**least, name: choice}


def bad(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    least = example_arguments(schema)
    yield {**least, "no such field": 1}
    for name, field in schema["properties"].items():
        if name in schema.get("required", ()):
            yield {key: value for key, value in least.items() if key != name}
        yield {**least, name: {"neither": "this"}}
        if "maximum" in field:
            yield {**least, name: field["maximum"] + 1}


@pytest.mark.parametrize("name", CHARTS)
def test_schemas_take_what_is_right_and_nothing_else(name: str) -> None:
    for form in forms(CHARTS[name]):
        schema = Schema(form["schema"])
        assert not any(schema.faults(data) for data in form["good"])
        assert all(schema.faults(data) for data in form["bad"])


def test_a_form_has_titles_and_names_for_people() -> None:
    form = rjsf(screen(Cafe().snapshot))["ORDER"]
    assert form["schema"]["title"] == "Order a drink"
    assert form["schema"]["properties"]["pickup"]["title"] == "Pickup"
    assert form["uiSchema"]["drink"]["ui:enumNames"][4] == "Flat white"
    assert form["uiSchema"]["size"]["ui:widget"] == "radio"
    assert form["uiSchema"]["ui:order"][0] == "drink"


def test_choices_keep_the_names_that_they_are_spoken_by() -> None:
    form = rjsf(screen(Coffee().snapshot, "de"))["ORDER"]
    assert form["schema"]["properties"]["size"] == {
        "title": "Die Größe",
        "default": "medium",
        "type": "string",
        "enum": ["small", "medium", "large"],
    }
    assert form["uiSchema"]["size"]["ui:enumNames"] == ["Klein", "Mittel", "Groß"]


def test_a_closed_action_has_a_form_that_says_why() -> None:
    ui = rjsf(screen(Bar.at("brewing").snapshot))["CANCEL"]["uiSchema"]
    assert ui["ui:disabled"] is True
    assert ui["ui:description"] == "It is being made already."


@pytest.mark.slow
def test_react_jsonschema_form_agrees_and_draws_them() -> None:
    node, folder = node_tool("node"), TOOLS.parents[1]
    if not (folder / "node_modules" / "@rjsf" / "core").exists():
        pytest.skip("@rjsf/core is not installed; run .ci/tools.sh")
    jobs = [form for chart in CHARTS.values() for form in forms(chart)]
    command = [node, Path(__file__).with_name("forms.mjs"), folder]
    done = subprocess.run(command, input=json.dumps(jobs), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(jobs) > 10
    for form, result in zip(jobs, results, strict=True):
        assert all(result["good"]), form
        assert not any(result["bad"]), form
        assert form["schema"]["title"] in result["html"]
    assert any('type="radio"' in result["html"] for result in results)
