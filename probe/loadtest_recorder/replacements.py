"""What the tests' replacements of dependencies return, as Python that makes it again."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import sys
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import Any
from uuid import UUID

from loadtest_recorder.notes import Notes

VALUES = "loadtest_recorder_values"
"""The key of a request's scope with the numbers of the values that its replaced dependencies had."""

_MOST_NOTES = 5_000
_LONGEST = 1_000
_DEEPEST = 4
_TOKEN = re.compile(r"(?:[\w-]{10,}\.){2}[\w-]{10,}")
_OF_TESTS = re.compile(r"(?:^|\.)(?:tests?|conftest|test_\w+|__main__)\b")


class NoSource(Exception):
    """A value that no line of code makes again, such as a mock."""


def watch(notes: Notes) -> None:
    """From now on each replaced dependency that a request needs is noted, with the value that it had."""
    from fastapi import routing

    own = vars(routing)  # it is not public
    original = own["solve_dependencies"]
    count = 0

    @functools.wraps(original)
    async def solve(*args: Any, **given: Any) -> Any:
        nonlocal count
        solved = await original(*args, **given)
        with suppress(Exception):
            request = given["request"]
            overrides = request.app.dependency_overrides
            cache = solved[4] if isinstance(solved, tuple) else solved.dependency_cache
            for (call, *_), value in cache.items() if overrides else ():
                if call in overrides and count < _MOST_NOTES and _note(notes, count, call, value):
                    request.scope.setdefault(VALUES, []).append(count)
                    count += 1
        return solved

    own["solve_dependencies"] = solve


@functools.lru_cache(maxsize=1_000)
def name_of(dependency: Any) -> str:
    """As code outside of its module names it: a function, a method of a module's object, or a module's variable."""
    module, name = getattr(dependency, "__module__", "") or "", getattr(dependency, "__qualname__", "")
    if _content(sys.modules.get(module)).get(name) is dependency:
        return f"{module}:{name}"
    holder = getattr(dependency, "__self__", dependency)
    method = "" if holder is dependency else f".{dependency.__name__}"
    for place, loaded in [(module, sys.modules.get(module)), *list(sys.modules.items())]:
        content = _content(loaded)
        if not str(content.get("__file__")).startswith(os.getcwd()) or _OF_TESTS.search(place):
            continue
        for variable, value in list(content.items()):
            if value is holder:
                return f"{place}:{variable}{method}"
    return f"{module}:{name}"


def _content(module: Any) -> dict[str, Any]:
    """Without loading a module that waits to be used."""
    return getattr(module, "__dict__", {})


def _note(notes: Notes, number: int, call: Any, value: Any) -> bool:
    imports: set[str] = set()
    with suppress(NoSource):
        source = source_of(value, imports)
        facts = {"number": number, "name": name_of(call), "source": source, "imports": sorted(imports)}
        return len(source) <= _LONGEST and notes.write("replacement", **facts)
    return False


def source_of(value: Any, imports: set[str], depth: int = 0) -> str:
    """`imports` gets what it needs, as `module:name`; a module without a name is imported as a whole."""
    if depth > _DEEPEST:
        raise NoSource("too deep")
    if isinstance(value, Enum):
        return f"{_class(type(value), imports)}.{value.name}"
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, str):
        if _TOKEN.fullmatch(value):
            raise NoSource("a token, which ends")
        return ascii(str(value))
    if isinstance(value, float) and isfinite(value):
        return repr(value)
    if isinstance(value, (UUID, Decimal)):
        return f"{_class(type(value), imports)}('{value}')"
    if type(value) in (datetime, date, time, timedelta):
        if getattr(value, "tzinfo", None) not in (None, timezone.utc):
            raise NoSource("a place's time")
        imports.add("datetime:")
        return repr(value)
    if type(value) in (list, tuple, set, frozenset):
        return f"{type(value).__name__}([{', '.join(source_of(each, imports, depth + 1) for each in value)}])"
    if type(value) is dict:
        pairs = ((ascii_of(key), source_of(each, imports, depth + 1)) for key, each in value.items())
        return f"{{{', '.join(f'{key}: {each}' for key, each in pairs)}}}"
    fields = _fields(value)
    own = _class(type(value), imports)
    return f"{own}({', '.join(f'{name}={source_of(each, imports, depth + 1)}' for name, each in fields.items())})"


def ascii_of(key: Any) -> str:
    if not isinstance(key, (str, int)):
        raise NoSource("a key")
    return ascii(key)


def _fields(value: Any) -> dict[str, Any]:
    """What the class is called with: of dataclasses, of pydantic's models, of rows of SQLAlchemy."""
    kind = type(value)
    mapper = getattr(kind, "__mapper__", None)
    if mapper is not None:
        names = [each.key for each in mapper.column_attrs]
        return {name: value.__dict__[name] for name in names if value.__dict__.get(name) is not None}
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
    models = getattr(kind, "model_fields", None) or getattr(kind, "__fields__", None)
    if isinstance(models, dict):
        return {getattr(each, "alias", None) or name: getattr(value, name) for name, each in models.items()}
    if kind.__name__ == "SimpleNamespace":
        return dict(vars(value))
    raise NoSource(kind.__name__)


def _class(kind: type, imports: set[str]) -> str:
    name = kind.__qualname__
    if "<" in name or _OF_TESTS.search(kind.__module__):
        raise NoSource(name)
    imports.add(f"{kind.__module__}:{name.partition('.')[0]}")
    return name
