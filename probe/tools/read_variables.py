"""Finds the environment variables that Python code reads. Arguments: the answer's file, the file with the sources.

The sources are parsed only, never imported: reading a repository must not run its code.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

Sources = list[tuple[str, ast.Module]]
"""Paths and what is in them."""

MOST_READS = 2_000
DEEPEST = 3
LONGEST_NAME = 200
WRAPPERS = ("SecretStr", "PostgresDsn", "RedisDsn", "AnyUrl", "HttpUrl")


def parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:
        # Type parameters, which an older Python than the app's cannot read.
        pattern = r"^([ \t]*(?:async )?(?:def|class) \w+)\[[^\]\n]*\]"
        plain = re.sub(pattern, r"\1", text, flags=re.M)
        return ast.parse(re.sub(r"^type (\w+)(?:\[[^\]\n]*\])? =", r"\1 =", plain, flags=re.M))


def trees_of(sources: list[dict[str, str]]) -> Sources:
    """Without files that this Python cannot parse, or that nest too deeply to be handwritten."""
    trees = []
    for source in sources:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            trees.append((source["path"], parsed(source["text"])))
    return trees


def last(node: ast.AST) -> str:
    """The last name of a dotted one."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def text_of(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def written(node: ast.AST) -> str:
    try:
        return ast.unparse(node)[:300]
    except (RecursionError, ValueError):
        return ""


def literal(node: ast.AST | None) -> str | None:
    if isinstance(node, ast.Call) and last(node.func) in WRAPPERS and len(node.args) == 1:
        return literal(node.args[0])
    is_literal = isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float))
    return str(node.value) if is_literal and isinstance(node, ast.Constant) else None


def keyword(call: ast.Call, *names: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg in names), None)


class Reads:
    """What is read, in the order in which it was found."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def add(
        self,
        name: str | None,
        path: str,
        needed: bool,
        kind: str | None = None,
        value: str | None = None,
        field: str | None = None,
    ) -> None:
        if name and len(name) < LONGEST_NAME and name.replace("_", "").isalnum():
            self.found.append(
                {"name": name, "path": path, "isNeeded": needed, "type": kind, "value": value, "field": field}
            )


class Module:
    """The reads of one file by calls and subscripts."""

    def __init__(self, path: str, tree: ast.Module, reads: Reads, helpers: dict[str, Helper]) -> None:
        self.path, self.reads, self.helpers = path, reads, helpers
        self.nodes = list(ast.walk(tree))
        imports = [
            node
            for node in self.nodes
            if isinstance(node, ast.ImportFrom) and node.module in ("decouple", "starlette.config")
        ]
        self.is_of_reader = bool(imports)
        self.readers = {"config", "env"} | {
            each.asname for node in imports for each in node.names if each.name == "config" and each.asname
        }
        self.caught = self.nodes_without_error() | self.guarded()
        self.numbers: dict[int, str] = {}
        """Nodes that are made a number, and which."""

    def nodes_without_error(self) -> set[int]:
        """Inside of a `try` that takes a missing variable."""
        caught: set[int] = set()
        for node in self.nodes:
            if isinstance(node, ast.Try) and any(
                each.type is None or "KeyError" in written(each.type) for each in node.handlers
            ):
                caught.update(id(inner) for each in node.body for inner in ast.walk(each))
        return caught

    def guarded(self) -> set[int]:
        """Reads that happen only after a check that the variable is there: `if "X" in os.environ`."""
        found: set[int] = set()
        for node in self.nodes:
            if isinstance(node, (ast.If, ast.IfExp)) and "environ" in (tested := written(node.test)):
                inside = node.body if isinstance(node.body, list) else [node.body]
                found.update(
                    id(each)
                    for outer in inside
                    for each in ast.walk(outer)
                    if isinstance(each, ast.Subscript) and repr(text_of(each.slice)) in tested
                )
        return found

    def add_reads(self) -> set[str]:
        """Returns the classes that get all of the environment: `Config(**dict(os.environ))`."""
        whole, starred = False, set()
        for node in self.nodes:
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Name) and node.func.id in ("int", "float") and node.args:
                    self.numbers[id(node.args[0])] = node.func.id
                whole = whole or takes_all(node)
                if any(each.arg is None for each in node.keywords):
                    starred.add(last(node.func))
                self.add_call(node)
            elif isinstance(node, ast.Subscript) and is_loaded(node):
                self.reads.add(text_of(node.slice), self.path, id(node) not in self.caught)
        return starred if whole else set()

    def add_call(self, node: ast.Call) -> None:
        called, name = last(node.func), text_of(node.args[0]) if node.args else None
        owner = last(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if name is None:
            return
        given = node.args[1:]
        if called == "getenv" or (owner == "environ" and called in ("get", "setdefault", "pop")):
            number = self.numbers.get(id(node))
            # A number cannot be made of nothing.
            needed = number is not None and not given
            self.reads.add(name, self.path, needed, number, literal(given[0]) if given else None)
            return
        helper = self.helpers.get(called)
        if helper is not None and name.isupper():
            default = keyword(node, *helper.defaults) or (given[0] if given else None)
            self.reads.add(name, self.path, helper.is_strict and default is None, None, literal(default))
            return
        is_of_object = owner in ("env", "config", "Env") and called.islower() and called != "get"
        if (called in self.readers or is_of_object) and (name.isupper() or self.is_of_reader):
            self.add_cast(node, name, called, owner)

    def add_cast(self, node: ast.Call, name: str, called: str, owner: str) -> None:
        """`config("PORT", cast=int, default=1)`, `config("PORT", int)`, `env.int("PORT", 1)`"""
        given, cast = node.args[1:], keyword(node, "cast", "type")
        is_type = len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute))
        if cast is None and is_type and called in self.readers and called != "env":
            cast, given = given[0], []
        default = keyword(node, "default") or (given[-1] if given else None)
        kind = written(cast) if cast is not None else called if owner else None
        self.reads.add(name, self.path, default is None, kind, literal(default))


class Helper:
    """A function of the repository that reads the variable that its first argument names."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        arguments = definition.args.args
        first = 1 if arguments and arguments[0].arg in ("self", "cls") else 0
        self.name = arguments[first].arg if len(arguments) > first else ""
        others = [*arguments[first + 1 :], *definition.args.kwonlyargs]
        self.defaults = [each.arg for each in others if "default" in each.arg]
        nodes = list(ast.walk(definition))
        reads = [each for each in nodes if self.name and self.is_read(each)]
        self.is_one = bool(reads)
        fails = any(isinstance(each, ast.Subscript) for each in reads) or any(
            isinstance(each, ast.Raise) for each in nodes
        )
        self.is_strict = fails and not definition.args.defaults

    def is_read(self, node: ast.AST) -> bool:
        """`os.getenv(name)`, `os.environ.get(name)`, `os.environ[name]`"""
        if isinstance(node, ast.Subscript):
            return is_loaded(node) and last(node.slice) == self.name
        if not isinstance(node, ast.Call) or not node.args or last(node.args[0]) != self.name:
            return False
        owner = last(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        return last(node.func) == "getenv" or (owner == "environ" and last(node.func) == "get")


def helpers_in(trees: Sources) -> dict[str, Helper]:
    definitions = [node for _, tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {each.name: helper for each in definitions if (helper := Helper(each)).is_one}


def is_loaded(node: ast.Subscript) -> bool:
    """`os.environ["X"]`, not where it is set."""
    return last(node.value) == "environ" and isinstance(node.ctx, ast.Load)


def takes_all(node: ast.Call) -> bool:
    """`dict(os.environ)`, `os.environ.items()`, `f(**os.environ)`"""
    taken = [each.value for each in node.keywords if each.arg is None]
    if last(node.func) == "dict":
        taken += node.args
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "copy"):
        taken.append(node.func.value)
    return any(last(each) == "environ" for each in taken)


Field = tuple[str, ast.expr, "ast.expr | None"]
"""The path of its class, its type, its default."""


class Settings:
    """The fields of classes that are filled from the environment."""

    def __init__(self, trees: Sources, reads: Reads) -> None:
        self.reads = reads
        self.classes: dict[str, tuple[str, ast.ClassDef, list[str]]] = {}
        """By their names: path, definition, names of the bases."""
        for path, tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    bases = [each.value if isinstance(each, ast.Subscript) else each for each in node.bases]
                    self.classes.setdefault(node.name, (path, node, [last(each) for each in bases]))

    def add_reads(self, filled: set[str]) -> None:
        """`filled`: names of classes that get all of the environment."""
        chosen = [
            each for each in self.classes if (self.is_settings(each) or each in filled) and "Test" not in each
        ]
        parents = {parent for each in chosen for parent in self.lineage(each)[1:]}
        for name in chosen:
            if name not in parents:
                own = self.options(name)
                self.add_fields(name, own.get("env_prefix", ""), own.get("env_nested_delimiter"), False)

    def lineage(self, name: str) -> list[str]:
        found: list[str] = []
        waiting = [name]
        while waiting:
            each = waiting.pop(0)
            if each in self.classes and each not in found:
                found.append(each)
                waiting += self.classes[each][2]
        return found

    def is_settings(self, name: str) -> bool:
        """A class of that name that is not here is a library's own, as of an admin interface."""

        def is_base(base: str, own: str) -> bool:
            return base == "BaseSettings" or (
                base.endswith("Settings") and (base == own or base not in self.classes)
            )

        return any(is_base(base, each) for each in self.lineage(name) for base in self.classes[each][2])

    def options(self, name: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for each in reversed(self.lineage(name)):
            texts: dict[str, str | None] = {}
            for node in ast.walk(self.classes[each][1]):
                target, value = target_of(node)
                if target is None or value is None:
                    continue
                texts[target] = text_of(value)
                for key, one in options_in(target, value):
                    text = texts.get(one.id) if isinstance(one, ast.Name) else text_of(one)
                    if key in ("env_prefix", "env_nested_delimiter") and text is not None:
                        found[key] = text
        return found

    def fields(self, name: str) -> dict[str, Field]:
        found: dict[str, Field] = {}
        for each in reversed(self.lineage(name)):
            path, definition, _ = self.classes[each]
            for node in definition.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    if node.target.id != "model_config" and "ClassVar" not in written(node.annotation):
                        found[node.target.id] = (path, node.annotation, node.value)
                elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    before = found.get(node.targets[0].id)
                    if before is not None:
                        found[node.targets[0].id] = (before[0], before[1], node.value)
        return found

    def add_fields(
        self, name: str, prefix: str, delimiter: str | None, has_outer: bool, depth: int = 0
    ) -> None:
        for field, (path, annotation, value) in self.fields(name).items():
            kind = written(annotation)
            words = re.sub(r"[][|]", " ", kind).split()
            has, default, names = default_of(value)
            inner = [each for each in self.classes if each in words and each != name]
            own = names[0] if names and depth == 0 else prefix + field
            if inner and delimiter and depth < DEEPEST and self.fields(inner[0]):
                self.add_fields(inner[0], own + delimiter, delimiter, has_outer or has, depth + 1)
                continue
            # No variable sets a name that begins so, but its default may be the first user's.
            optional = (
                field.startswith("_") or "Optional[" in kind or "None" in kind.replace("|", " ").split()
            )
            self.reads.add(own.upper(), path, not (has or has_outer or optional), kind, default, field)


def target_of(node: ast.AST) -> tuple[str | None, ast.expr | None]:
    """The name and the value of an assignment."""
    if isinstance(node, ast.Assign):
        target: ast.expr = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    else:
        return None, None
    return (target.id, node.value) if isinstance(target, ast.Name) else (None, None)


def options_in(target: str, value: ast.expr) -> Iterator[tuple[str | None, ast.expr]]:
    calls = [each for each in ast.walk(value) if isinstance(each, ast.Call)]
    if target == "model_config" and calls:
        yield from ((one.arg, one.value) for call in calls for one in call.keywords)
    elif target == "model_config" and isinstance(value, ast.Dict):
        yield from ((text_of(key), one) for key, one in zip(value.keys, value.values) if key is not None)
    else:
        yield target, value


def default_of(value: ast.expr | None) -> tuple[bool, str | None, list[str]]:
    """True if there is one, what it is, and the names that it is read by."""
    if value is None:
        return False, None, []
    if not (isinstance(value, ast.Call) and last(value.func) in ("Field", "PydanticField")):
        return True, literal(value), []
    first = value.args[0] if value.args else keyword(value, "default")
    has = first is not None and not (isinstance(first, ast.Constant) and first.value is Ellipsis)
    has = has or keyword(value, "default_factory") is not None
    alias = keyword(value, "validation_alias") or keyword(value, "env") or keyword(value, "alias")
    names = [text for each in names_in(alias) if (text := text_of(each))]
    return has, literal(first) if has else None, names


def names_in(alias: ast.expr | None) -> list[ast.expr]:
    if isinstance(alias, ast.Call):
        return alias.args
    if isinstance(alias, (ast.List, ast.Tuple)):
        return alias.elts
    return [] if alias is None else [alias]


def variables_in(sources: list[dict[str, str]]) -> list[dict[str, Any]]:
    reads = Reads()
    trees = trees_of(sources)
    filled: set[str] = set()
    helpers = helpers_in(trees)
    for path, tree in trees:
        filled |= Module(path, tree, reads, helpers).add_reads()
    Settings(trees, reads).add_reads(filled)
    return reads.found[:MOST_READS]


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        sources = json.load(file)
    found = variables_in(sources)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(found, file)
