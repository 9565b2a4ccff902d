"""What holds for every file of the probe: the order in which they import each other, and the oldest Python."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.servers import PROBE

TREES = {path: ast.parse(path.read_text()) for path in sorted(PROBE.rglob("*.py"))}
MODULES = {
    ".".join(path.relative_to(PROBE).with_suffix("").parts).removesuffix(".__init__"): tree
    for path, tree in TREES.items()
}


def imported(tree: ast.AST) -> set[str]:
    """Ours only; those for types alone and those inside of functions count as well."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.add(node.module)
            names.update(f"{node.module}.{each.name}" for each in node.names)
    return names & MODULES.keys()


def circle(modules: dict[str, ast.Module]) -> list[str]:
    """One of them, if there is any."""
    try:
        TopologicalSorter({name: imported(tree) - {name} for name, tree in modules.items()}).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_files_import_each_other() -> None:
    assert "loadtest_probe.probe" in imported(MODULES["loadtest_probe.asgi"])
    assert circle(MODULES) == []


@pytest.mark.parametrize(
    "back",
    [
        "import loadtest_probe.asgi",
        "if TYPE_CHECKING:\n    from loadtest_probe.asgi import WatchedAsgi",
        "def later():\n    from loadtest_probe import asgi",
    ],
)
def test_a_circle_would_be_found(back: str) -> None:
    found = circle({**MODULES, "loadtest_probe.probe": ast.parse(back)})
    assert {"loadtest_probe.asgi", "loadtest_probe.probe"} == set(found)


def unions(tree: ast.Module) -> list[str]:
    """`X | None` where Python evaluates it: annotations are left alone by a file that imports `annotations`."""
    has_future = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    left_alone: set[int] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            annotation = getattr(node, name, None)
            if has_future and annotation is not None:
                left_alone.update(id(each) for each in ast.walk(annotation))
    return [
        f"line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.BitOr)
        and re.search(r"\bNone\b", ast.unparse(node))
        and id(node) not in left_alone
    ]


# Every other difference is one of grammar, which the linter knows.
@pytest.mark.parametrize("module", sorted(each for each in MODULES if each.startswith("loadtest_probe")))
def test_python_3_9_knows_no_union_of_types(module: str) -> None:
    assert unions(MODULES[module]) == []


@pytest.mark.parametrize("text", ["Key = int | None", "def f() -> int | None: ..."])
def test_a_union_would_be_found(text: str) -> None:
    assert unions(ast.parse(text)) == ["line 1"]
