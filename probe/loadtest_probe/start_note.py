"""A process's note of its start: it distinguishes one that never served anything from one that was not watched.

No more of Python than any version 3 has: it is here to say that a Python is too old.
"""

import os
import platform

from loadtest_probe.private_file import replace_private

OLDEST_PYTHON = (3, 9)
_MOST_PROBLEMS = 20


class StartNote:
    """One file for each process, written anew when there is more to say. A folder that is gone is no reason to fail."""

    def __init__(self, folder: str) -> None:
        token = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._path = os.path.join(folder, f"start-{token}.json")
        self._servers = []  # type: list[str]
        self._problems = []  # type: list[str]
        self._write()

    def server(self, name: str) -> None:
        """It imported one that can be watched."""
        if name not in self._servers:
            self._servers.append(name)
            self._write()

    def problem(self, text: str) -> None:
        if text not in self._problems and len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(text[:300])
            self._write()

    def _write(self) -> None:
        import json

        note = {
            "schemaVersion": 1,
            "process": os.getpid(),
            "python": platform.python_version(),
            "servers": self._servers,
            "problems": self._problems,
        }
        try:
            replace_private(self._path, json.dumps(note).encode())
        except OSError:
            return


def python_problem(version: "tuple[int, int, int]") -> "str | None":
    """Why this Python cannot be watched."""
    if version >= OLDEST_PYTHON:
        return None
    own, needed = (".".join(map(str, each)) for each in (version, OLDEST_PYTHON))
    return f"Python {own} is too old to be watched: {needed} or newer is needed"
