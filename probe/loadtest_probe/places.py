"""From a stack to the line of the user's own code that is to blame."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType, FrameType
from typing import NamedTuple


class Place(NamedTuple):
    """A line of the user's own files."""

    file: str  # relative to the app's folder
    line: int
    function: str


_DEEPEST = 400
_MOST_DECORATORS = 20
_HERE = os.path.dirname(os.path.abspath(__file__))


class Places:
    """The user's own files, as distinct from others: below the app's folder, but neither installed nor Python's."""

    def __init__(self, app_folder: str) -> None:
        self._folder = os.path.realpath(app_folder)
        roots = {sys.prefix, sys.exec_prefix, os.path.dirname(os.__file__), _HERE}
        self._foreign = tuple(os.path.realpath(root) + os.sep for root in roots if root)
        self._names: dict[str, str | None] = {}

    def name_of(self, path: str) -> str | None:
        """The user's file as the user calls it; `None` for others' files."""
        try:
            return self._names[path]
        except KeyError:
            name = self._names[path] = self._find(path)
            return name

    def _find(self, path: str) -> str | None:
        if path.startswith("<"):
            return None
        real = os.path.realpath(path)
        if not real.startswith(self._folder.rstrip(os.sep) + os.sep):
            return None
        parts = real.split(os.sep)
        # An interpreter may lie in the app's folder (.venv), and an app below an interpreter's (/usr/local).
        for foreign in self._foreign:
            if real.startswith(foreign) and not self._folder.startswith(foreign):
                return None
        if "site-packages" in parts or "dist-packages" in parts:
            return None
        return os.path.relpath(real, self._folder)

    def innermost(self, frame: FrameType | None) -> Place | None:
        """The innermost frame in the user's own files."""
        names = self._names
        for _ in range(_DEEPEST):
            if frame is None:
                return None
            path = frame.f_code.co_filename
            if (names[path] if path in names else self.name_of(path)) is not None:
                return self.at(frame)
            frame = frame.f_back
        return None

    def at(self, frame: FrameType) -> Place | None:
        """The place of a frame; `None` when it is not the user's own."""
        code = frame.f_code
        name = self.name_of(code.co_filename)
        return (
            None if name is None else Place(name, frame.f_lineno or code.co_firstlineno, function_name(code))
        )

    def caller(self) -> Place | None:
        """The user's line that is running in this thread. The app's own code asks, so it gets an answer, always."""
        try:
            return self.innermost(sys._getframe(1)) or self._caller_of_greenlet()
        except Exception:
            return None

    def _caller_of_greenlet(self) -> Place | None:
        """SQLAlchemy's async half runs its sync half in a greenlet, whose stack begins there."""
        greenlet = sys.modules.get("greenlet")
        if greenlet is None:
            return None
        parent = greenlet.getcurrent().parent
        place = None
        while place is None and parent is not None:
            place = self.innermost(parent.gr_frame)
            parent = parent.parent
        return place

    def of_function(self, function: object) -> Place | None:
        """Where a function of the user's begins."""
        code = getattr(function, "__code__", None)
        if not isinstance(code, CodeType):
            return None
        name = self.name_of(code.co_filename)
        if name is None:
            return None
        first = code.co_firstlineno
        for line in range(first, first + _MOST_DECORATORS):  # the code begins at the first decorator
            if linecache.getline(code.co_filename, line).lstrip().startswith(("def ", "async def ")):
                return Place(name, line, function_name(code))
        return Place(name, first, function_name(code))

    def text_of(self, place: Place) -> str:
        """What is written there."""
        return linecache.getline(os.path.join(self._folder, place.file), place.line).strip()


def function_name(code: CodeType) -> str:
    """As `Class.method` where this Python knows it (3.11 and newer)."""
    return str(getattr(code, "co_qualname", code.co_name))
