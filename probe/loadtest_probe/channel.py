"""The way out: one document for each process, replaced as a whole, in a folder that only this user may read.

Each start of a worker has a document of its own, so a worker that is restarted or killed loses half a second.
"""

from __future__ import annotations

import json
import os

from loadtest_probe import natives
from loadtest_probe.document import make_document
from loadtest_probe.private_file import replace_private
from loadtest_probe.records import Records
from loadtest_probe.settings import WINDOW, WRITE_EVERY_SECONDS
from loadtest_probe.sockets import look_at_connections

_LOOK_EVERY_SECONDS = 0.1


class Channel:
    """Used by the probe's thread; at the end of the server by the server's as well."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._lock = natives.make_lock()
        token = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._path = os.path.join(records.settings.folder, f"worker-{token}.json")
        self._window = ""
        self._window_state: tuple[int, int] | None = None
        self._read_window()
        self._looked = self._written = natives.now()
        self._records.memory.begin()
        self._has_seen_connections = False

    def every_round(self) -> None:
        now = natives.now()
        if now - self._looked >= _LOOK_EVERY_SECONDS:
            self._looked = now
            if self._read_window():
                self._records.begin_window()
                self._has_seen_connections = False
        if now - self._written >= WRITE_EVERY_SECONDS:
            self._written = now
            self.write()

    def write(self) -> None:
        """A full disk or a folder that is gone is nobody's problem but ours."""
        with self._lock:
            try:
                self._look()
                text = json.dumps(make_document(self._records, self._window), separators=(",", ":"))
                replace_private(self._path, text.encode())
            except Exception as error:
                self._records.cannot_see("the report of the last half second", error)

    def _look(self) -> None:
        self._records.memory.look()
        # Once for each window: the look takes a system call for each open file, and how the server sets its connections
        # up does not change meanwhile.
        if self._records.port is not None and not self._has_seen_connections:
            looked = look_at_connections(self._records.port)
            if looked[0] > 0:
                self._has_seen_connections = True
                self._records.sockets = looked

    def _read_window(self) -> bool:
        """True if there is another window than before."""
        path = os.path.join(self._records.settings.folder, WINDOW)
        try:
            found = os.stat(path)
            state = (found.st_mtime_ns, found.st_ino)
            if state == self._window_state:
                return False
            with open(path, encoding="utf-8") as file:
                window = file.read(100).strip()
            self._window_state = state
        except (OSError, ValueError):
            window = ""
        is_another = window != self._window
        self._window = window
        return is_another
