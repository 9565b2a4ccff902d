"""Samples of stacks, as the document that `src/diagnosis/functions/` reads."""

from __future__ import annotations

import dis
import linecache
import os
import sysconfig
from types import CodeType
from typing import Any, Optional

from loadtest_probe.places import Places, function_name

# Stands for Python's garbage collector, which has no frame of its own.
COLLECTOR = 0

# When (milliseconds since 1970), the stack's number (-1: none), seconds of CPU that it stands for, and those that the
# whole process has used since the sample before, with its instructions where they are counted.
Sample = tuple[int, int, float, float, Optional[int]]

_STANDARD = os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep
_APP = {"scope", "receive", "send"}
_MOST_NAMES = 200


def make_stack_document(
    window: str,
    places: Places,
    codes: dict[int, CodeType],
    is_own: dict[int, bool],
    stacks: dict[tuple[int, ...], int],
    samples: list[Sample],
) -> dict[str, Any]:
    numbers: dict[int, int] = {}
    frames: list[dict[str, Any]] = []
    texts: dict[tuple[int, int], str] = {}
    lines = _Lines()
    # Two places in a line are two stacks to the sampler, and one here: the document must not get too large to be read.
    written: dict[tuple[int, ...], int] = {}
    number_of: list[int] = []
    for stack in stacks:
        one: list[int] = []
        for code_id, at in zip(stack[::2], stack[1::2]):
            number = numbers.get(code_id)
            if number is None:
                number = numbers[code_id] = len(frames)
                code = codes.get(code_id)
                frames.append(_COLLECTOR if code is None else _frame(code, places))
            line = 0
            if is_own.get(code_id):
                code = codes[code_id]
                line = lines.of(code, at)
                if (number, line) not in texts:
                    texts[number, line] = linecache.getline(code.co_filename, line).strip()[:200]
            one += (number, line)
        number_of.append(written.setdefault(tuple(one), len(written)))
    return {
        "schemaVersion": 1,
        "window": window,
        "frames": frames,
        "stacks": [list(stack) for stack in written],
        "texts": [[frame, line, text] for (frame, line), text in texts.items()],
        "samples": [
            [
                *(when, stack if stack < 0 else number_of[stack], round(weight * 1e6), round(used * 1e6)),
                *(() if executed is None else (executed,)),
            ]
            for when, stack, weight, used, executed in list(samples)
        ],
    }


_COLLECTOR: dict[str, Any] = {
    "file": None,
    "package": "python",
    "function": "(garbage collector)",
    "first": 0,
    "last": 0,
    "isApp": False,
    "names": [],
}


def _frame(code: CodeType, places: Places) -> dict[str, Any]:
    file = places.name_of(code.co_filename)
    codes = [code] if file is None else _with_nameless(code)
    names = dict.fromkeys(name for each in codes for name in each.co_names)
    return {
        "file": None if file is None else file[:500],
        "package": "" if file is not None else package_of(code.co_filename)[:100],
        "function": function_name(code)[:200],
        "first": code.co_firstlineno,
        "last": max(
            [code.co_firstlineno, *(line for each in codes for _, line in dis.findlinestarts(each) if line)]
        ),
        # Called by the server or by another of its kind, to answer a request.
        "isApp": _APP.issubset(code.co_varnames[: code.co_argcount]),
        "names": [] if file is None else [name[:100] for name in list(names)[:_MOST_NAMES]],
    }


def _with_nameless(code: CodeType) -> list[CodeType]:
    """The code with its comprehensions and lambdas, which people read as lines of it."""
    nested = [each for each in code.co_consts if isinstance(each, CodeType) and each.co_name.startswith("<")]
    return [code, *(inner for each in nested for inner in _with_nameless(each))]


def package_of(path: str) -> str:
    """`pydantic` for a file below it, `python` for what came with Python."""
    real = path if path.startswith("<") else os.path.realpath(path)
    for folder in ("site-packages", "dist-packages"):
        _, found, below = real.rpartition(f"{os.sep}{folder}{os.sep}")
        if found:
            return below.partition(os.sep)[0].removesuffix(".py")
    if real.startswith((_STANDARD, "<frozen")):
        return "python"
    return "other"


class _Lines:
    """The line of each instruction; found once for each code, because a code's table is read from its start."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[int, int]]] = {}

    def of(self, code: CodeType, at: int) -> int:
        starts = self._known.get(id(code))
        if starts is None:
            starts = [(offset, line) for offset, line in dis.findlinestarts(code) if line]
            self._known[id(code)] = starts
        line = code.co_firstlineno
        for offset, each in starts:
            if offset > at:
                break
            line = each
        return line
