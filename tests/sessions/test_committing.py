"""What a store is given to keep."""

from __future__ import annotations

import ast
from pathlib import Path

import fsmvoice


def test_nothing_that_is_stored_is_run_when_it_is_read() -> None:
    unpickles = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
    for path in (Path(fsmvoice.__file__).parent / "sessions").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert unpickles.isdisjoint(name.partition(".")[0] for name in names), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path
