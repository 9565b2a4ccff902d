"""The file by which the engine says that what follows counts."""

from __future__ import annotations

from pathlib import Path

from loadtest_probe.settings import WINDOW

# The window before all others.
START = "start"


class WindowFile:
    """Looked at many times a second."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder, WINDOW)
        self._state: tuple[int, int] | None = None

    def another(self) -> str | None:
        """The name of a window that has begun since the last look."""
        try:
            found = self._path.stat()
            state = (found.st_mtime_ns, found.st_ino)
            if state == self._state:
                return None
            name = self._path.read_text(encoding="utf-8")[:100].strip()
        except (OSError, ValueError):
            return None
        self._state = state
        return name
