"""A notebook shows a machine class as its picture, and an instance as the picture of where it stands."""

from __future__ import annotations

import inspect
import shutil
import types
from typing import Any

import pytest

from fsmvoice import State, VoiceMachine, transition


class Door(VoiceMachine, id="door"):
    shut = State(initial=True)
    ajar = State(final=True)

    @transition("OPEN", source=shut, target=ajar)
    def open(self) -> None: ...


def shown(value: object, method: str, **asked: object) -> Any:
    """What IPython makes of a value: of a class it asks only methods that are bound to the class itself."""
    found = getattr(value, method, None)
    if inspect.isclass(value) and not isinstance(found, types.MethodType):
        return None
    return found(**asked) if callable(found) else None


def with_graphviz() -> None:
    if shutil.which("dot") is None:
        pytest.skip("dot is not installed: apt install graphviz")


def test_a_class_shows_its_picture() -> None:
    with_graphviz()
    svg = shown(Door, "_repr_svg_")
    assert svg.startswith("<svg ")
    assert "active" not in svg.split("</style>")[1]


def test_an_instance_shows_where_it_stands() -> None:
    with_graphviz()
    door = Door()
    door.open.sync()
    assert 'class="node state final active"' in shown(door, "_repr_svg_")


def test_a_notebook_without_graphviz_gets_mermaid_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert shown(Door, "_repr_svg_") is None
    bundle = shown(Door(), "_repr_mimebundle_")
    assert bundle.keys() == {"text/vnd.mermaid"}
    assert bundle["text/vnd.mermaid"].endswith("class shut active\n")


def test_a_notebook_may_say_what_it_includes() -> None:
    assert "text/vnd.mermaid" in shown(Door, "_repr_mimebundle_", include=None, exclude=None)


def test_a_class_without_states_shows_as_any_class() -> None:
    assert shown(VoiceMachine, "_repr_svg_") is None
    assert shown(VoiceMachine, "_repr_mimebundle_") == {}
