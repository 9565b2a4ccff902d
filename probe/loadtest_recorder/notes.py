"""The file of what was seen: one JSON object a line, and never more than a limit."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from typing import Any

_MOST_BYTES = 20_000_000


class Notes:
    """Each line is on the disk at once: a test may end the process."""

    def __init__(self, path: str, routes: Sequence[str] = ()) -> None:
        """Routes: those that the app has, as `GET /items/{id}`; none: nobody knows."""
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        self._left = _MOST_BYTES
        self._routes, self._reached = frozenset(routes), set[str]()
        self.newest: float | None = None
        """When a request to one of the routes worked for the first time; `None`: none did."""
        self.test = ""

    def write(self, kind: str, **facts: Any) -> bool:
        line = json.dumps({"kind": kind, **facts}, separators=(",", ":")).encode() + b"\n"
        if len(line) > self._left:
            return False
        self._left -= len(line)
        if kind == "request" and facts["status"] < 300:
            self._reach(f"{facts['method']} {facts['route']}")
        os.write(self._file, line)
        return True

    def _reach(self, route: str) -> None:
        if route in self._reached or (self._routes and route not in self._routes):
            return
        self._reached.add(route)
        self.newest = time.monotonic()
