"""What a target names: the exact id first, then a path from an id, a child, a sibling, a dotted path."""

import pytest

from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree

TREE = Tree(
    parse_config(
        {
            "id": "m",
            "initial": "a",
            "states": {
                "a": {
                    "id": "bar",
                    "initial": "a1",
                    "states": {"a1": {}, "a2": {"initial": "deep", "states": {"deep": {}}}, "qux": {}},
                },
                "b": {"id": "bar.qux"},
                "x.y": {},
                "in progress": {},
            },
        }
    )
)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("a", "b", "b"),
        ("a", ".a1", "a.a1"),
        ("a.a1", "a2", "a.a2"),
        ("b", "a.a2.deep", "a.a2.deep"),
        ("a", "#bar", "a"),
        ("a", "#bar.qux", "b"),
        ("b", "#bar.a2.deep", "a.a2.deep"),
        ("b", "#m.a", "a"),
        ("b", "#m", ""),
        ("b", "x.y", "x.y"),
        ("b", "in progress", "in progress"),
        ("", ".a", "a"),
    ],
)
def test_targets_resolve_as_in_xstate(source: str, target: str, found: str) -> None:
    node = TREE.resolve(TREE.by_path[source], target)
    assert node is not None
    assert node.path == found


@pytest.mark.parametrize(
    ("source", "target"), [("", "a"), ("a", ".nope"), ("a", "#nope"), ("a.a1", "b"), ("b", "#bar.no")]
)
def test_what_names_nothing_is_none(source: str, target: str) -> None:
    assert TREE.resolve(TREE.by_path[source], target) is None


def test_nodes_stand_in_document_order_with_their_json_paths() -> None:
    assert [node.path for node in TREE.nodes] == [
        "",
        "a",
        "a.a1",
        "a.a2",
        "a.a2.deep",
        "a.qux",
        "b",
        "x.y",
        "in progress",
    ]
    assert TREE.by_path["in progress"].where == "$.states['in progress']"
    assert [node.index for node in TREE.nodes] == list(range(9))
