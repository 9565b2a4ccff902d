"""The file of what was seen: one JSON object a line, and never more than a limit."""

from __future__ import annotations

import json
import os
from typing import Any

_MOST_BYTES = 20_000_000


class Notes:
    """Each line is on the disk at once: a test may end the process."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        self._left = _MOST_BYTES
        self.test = ""

    def write(self, kind: str, **facts: Any) -> bool:
        line = json.dumps({"kind": kind, **facts}, separators=(",", ":")).encode() + b"\n"
        if len(line) > self._left:
            return False
        self._left -= len(line)
        os.write(self._file, line)
        return True
