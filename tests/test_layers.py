"""The house stands: imports go down only, no cycle, no file without bounds, no room without a purpose."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fsmvoice"
FLOORS = {
    "errors": 0,
    "model": 1,
    "engine": 2,
    "importers": 2,
    "exporters": 2,
    "voice": 3,
    "machine": 4,
    "sessions": 4,
    "screen": 4,
    "bridge": 5,
    "server": 6,
    "check": 7,
    "testing": 7,
    "cli": 8,
}
FILES = sorted(PACKAGE.rglob("*.py"))
CODE = {".py", ".js", ".mjs", ".cjs", ".css", ".sql", ".sh"}
"""What people write. A page that is built (`.html`), data (`.json`, `.jsonl`) and vendored code may have any length."""


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def imports_of(path: Path) -> Iterator[str]:
    """Every module of the package that `path` imports, inside functions and under TYPE_CHECKING too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            names = [
                f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in MODULES else str(node.module)
                for alias in node.names
            ]
        else:
            continue
        yield from (name for name in names if name == "fsmvoice" or name.startswith("fsmvoice."))


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_imports_go_down_or_stay_in_the_room(path: Path) -> None:
    own = room_of(module_of(path))
    for module in imports_of(path):
        other = room_of(module)
        if own == "":
            assert FLOORS[other] <= 5, "`import fsmvoice` must load no server and no SDK"
            continue
        assert other, f"{module_of(path)} imports the package's own front door"
        assert other == own or FLOORS[other] < FLOORS[own], f"{module_of(path)} imports {module}"


def test_there_is_no_cycle() -> None:
    graph = {module: set(imports_of(path)) - {module} for module, path in MODULES.items()}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail[trail.index(module) :], module))
        if module in done:
            return
        for other in graph.get(module, ()):
            visit(other, (*trail, module))
        done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("folder", ["fsmvoice", "tests", "examples", "docs", ".ci"])
def test_every_file_is_short_and_named_for_what_it_holds(folder: str) -> None:
    paths = (path for path in (ROOT / folder).rglob("*") if path.suffix in CODE or path.parent.name == ".ci")
    files = [
        path for path in paths if path.is_file() and not {"vendor", "node_modules"} & set(path.relative_to(ROOT).parts)
    ]
    assert {path.name: lines for path in files if (lines := len(path.read_text().splitlines())) >= 400} == {}
    assert [path for path in files if path.stem in {"utils", "helpers", "misc", "common"}] == []


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_only_the_server_knows_the_mcp_sdk(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [str(node.module)]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        foreign = {name.split(".")[0] for name in names} & {"mcp", "mcp_types", "starlette", "uvicorn"}
        assert not foreign or room_of(module_of(path)) == "server", f"{module_of(path)} imports {foreign}"


def test_importing_the_package_loads_neither_mcp_nor_a_web_server() -> None:
    heavy = ("mcp", "starlette", "uvicorn", "babel", "hassil")
    code = f"import sys, fsmvoice; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
