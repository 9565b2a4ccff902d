"""Which line of a source file belongs to the body of which function."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

_LARGEST_BYTES = 2_000_000
# What the head of a function may hold that does nothing to anything else.
_INERT = (
    ast.arguments, ast.arg, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List,
    ast.BinOp, ast.BitOr, ast.UnaryOp, ast.USub, ast.Load, ast.Starred,
)  # fmt: skip


@dataclass(frozen=True)
class FunctionLines:
    """The body of one function. Its head belongs to it only if all it does is give the function its name: decorators
    and calls run where the function is defined, and a definition inside a function is work of that one."""

    name: str  # with the names around it: `Shop.close`
    plain_name: str
    code_first: int  # where Python says that its code begins: its first decorator, or `def`
    first: int
    last: int


@dataclass(frozen=True)
class SourceLines:
    functions: list[FunctionLines]
    # Lines that are blank, a comment, or of a documentation text.
    empty: list[int]


def read_source_lines(path: str) -> SourceLines | None:
    """`None` for what is too large or no Python that this one can read."""
    try:
        file = Path(path)
        if file.stat().st_size > _LARGEST_BYTES:
            return None
        text = file.read_bytes()
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions: list[FunctionLines] = []
    in_texts: set[int] = set()
    documentation: set[int] = set()
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        node, around, is_nested = waiting.pop()
        name = around
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{around}.{node.name}" if around else node.name
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function = _lines_of(node, name, is_nested)
            if function is not None:
                functions.append(function)
            is_nested = True
        documentation.update(_documentation_of(node))
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            in_texts.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
        waiting.extend((child, name, is_nested) for child in ast.iter_child_nodes(node))
    lines = [line.strip() for line in text.splitlines()]
    empty = [
        number
        for number, line in enumerate(lines, start=1)
        if number in documentation or ((line == b"" or line.startswith(b"#")) and number not in in_texts)
    ]
    return SourceLines(sorted(functions, key=lambda each: (each.first, -each.last)), empty)


def _documentation_of(node: ast.AST) -> range:
    """Its lines, where nothing else stands in them."""
    body = getattr(node, "body", None)
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) or not body:
        return range(0)
    text = body[0]
    if not (
        isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    ):
        return range(0)
    is_alone = text.lineno > getattr(node, "lineno", 0) and (
        len(body) == 1 or body[1].lineno > (text.end_lineno or 0)
    )
    return range(text.lineno, (text.end_lineno or text.lineno) + 1) if is_alone else range(0)


def _lines_of(
    node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, is_nested: bool
) -> FunctionLines | None:
    first, last = node.body[0].lineno, node.end_lineno or node.lineno
    parts = [*ast.walk(node.args), *([] if node.returns is None else ast.walk(node.returns))]
    if not is_nested and not node.decorator_list and all(isinstance(part, _INERT) for part in parts):
        return FunctionLines(name, node.name, node.lineno, node.lineno, last)
    body = node.body[0]
    if isinstance(body, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and body.decorator_list:
        first = body.decorator_list[0].lineno
    head_ends = max([getattr(part, "end_lineno", None) or 0 for part in parts])
    # With a body on the line of its head one line belongs to both; the definition certainly runs.
    if first <= max(node.lineno, head_ends):
        return None
    code_first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return FunctionLines(name, node.name, code_first, first, last)
