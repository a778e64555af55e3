"""Services of an XState document are named; machines inside a machine are refused."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.imported import Imported


def invoking(invoke: Any) -> Imported:
    return from_xstate({"id": "m", "initial": "a", "states": {"a": {"invoke": invoke}, "b": {}}})


def service(imported: Imported) -> Any:
    return imported.config.to_dict()["states"]["a"]["invoke"]


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("fetch", {"src": "fetch"}),
        ({"src": "fetch", "id": "f", "input": {"n": 1}}, {"src": "fetch", "id": "f", "input": {"n": 1}}),
        ({"src": {"type": "fetch", "url": "/x"}}, {"src": "fetch", "input": {"url": "/x"}}),
        ({"src": "fetch", "data": {"n": 1}}, {"src": "fetch", "input": {"n": 1}}),
        (
            {"src": "fetch", "onDone": [{"target": "b"}], "onError": "b"},
            {"src": "fetch", "onDone": "b", "onError": "b"},
        ),
        ([{"src": "one"}, {"src": "two"}], [{"src": "one"}, {"src": "two"}]),
        ({"src": {"__fn": "fetch"}}, {"src": "fetch"}),
        ({"src": {"__fn": ""}}, {"src": "service_a"}),
        ({"id": "f", "src": {"config": {}, "transition": {}}}, {"src": "service_f", "id": "f"}),
    ],
)
def test_the_forms_of_a_service(raw: Any, read: Any) -> None:
    assert service(invoking(raw)) == read


def test_input_that_a_function_works_out_is_reported() -> None:
    imported = invoking({"src": "fetch", "input": {"__fn": ""}})
    assert service(imported) == {"src": "fetch"}
    assert imported.notes == (
        "$.states.a.invoke.input: what 'fetch' begins with is worked out by a function; the service has to",
    )


def test_what_is_not_done_here_is_kept() -> None:
    read = service(invoking({"src": "fetch", "systemId": "s", "autoForward": True, "onSnapshot": {"target": "b"}}))
    assert read["meta"] == {"xstate": {"onSnapshot": {"target": "b"}, "systemId": "s", "autoForward": True}}


@pytest.mark.parametrize(
    "source",
    [
        {"__ref": "machine:child"},
        {"initial": "x", "states": {"x": {}}},
        {"config": {"initial": "x", "states": {"x": {}}}},
    ],
)
def test_a_machine_inside_a_machine_is_refused(source: Any) -> None:
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.invoke\.src: a machine invoked by a machine"):
        invoking({"src": source})


@pytest.mark.parametrize("raw", [5, {"src": 5}, {"src": ""}, {}])
def test_what_names_no_service_is_refused(raw: Any) -> None:
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.invoke(\.src)?: is no"):
        invoking(raw)
