"""Which of the user's lines allocate what stays in memory: what each has allocated and nobody freed, from one window to
the next. Tracing begins with the first window: it would make the imports of an app many times slower."""

from __future__ import annotations

import gc
import json
import linecache
import os
import tracemalloc
from collections import Counter
from typing import Any

from loadtest_probe import natives
from loadtest_probe.places import Places
from loadtest_probe.private_file import replace_private
from loadtest_probe.settings import LONGEST_TEXT, MOST_OF_A_KIND, Settings
from loadtest_probe.source_lines import SourceLines, read_source_lines
from loadtest_probe.window_file import START, WindowFile

# As deep as a library may be that allocates for the user's line. Each allocation costs time for each frame.
_FRAMES = 16
_LOOK_EVERY_SECONDS = 0.05

# A file as Python knows it, and a line; `None`: no line of the user's.
_Line = tuple[str, int]
_Kept = Counter["_Line | None"]


class KeptMemory:
    """One in each process. The first window begins it; each further one notes what is kept since the one before."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.folder
        self._places = Places(settings.app_folder)
        self._windows = WindowFile(settings.folder)
        self._sources: dict[str, SourceLines | None] = {}
        self._kept: _Kept = Counter()
        self._is_begun = False

    def begin(self) -> None:
        """Called before any other code of the process."""
        os.register_at_fork(after_in_child=self._start)
        self._start()

    def _start(self) -> None:
        self._path = os.path.join(self._folder, f"worker-{os.getpid()}-{os.urandom(4).hex()}.json")
        natives.start_thread(self._watch, ())

    def _watch(self) -> None:
        window = START
        try:
            self._write(self._document(window))
            while True:
                natives.sleep(_LOOK_EVERY_SECONDS)
                another = self._windows.another()
                if another is None or another == window:
                    continue
                if window == START:
                    tracemalloc.start(_FRAMES)
                    self._is_begun = True
                window = another
                self._write(self._document(window))
        except OSError:
            return  # the folder is gone: nobody wants to know any more

    def _write(self, document: dict[str, Any]) -> None:
        replace_private(self._path, json.dumps(document, separators=(",", ":")).encode())

    def _document(self, window: str) -> dict[str, Any]:
        is_traced = tracemalloc.is_tracing() and tracemalloc.get_traceback_limit() == _FRAMES
        kept: _Kept = self._look() if is_traced else Counter()
        before, self._kept = self._kept, kept
        grown = {line: kept[line] - before[line] for line in kept.keys() | before.keys()}
        most = sorted(
            ((size, line) for line, size in grown.items() if line is not None and size > 0), reverse=True
        )
        return {
            "schemaVersion": 1,
            "window": window,
            "keptBytes": sum(grown.values()),
            "lines": [
                {"place": self._place_of(*line), "bytes": size} for size, line in most[:MOST_OF_A_KIND]
            ],
            "unseen": [] if is_traced or not self._is_begun else ["the app uses tracemalloc for itself"],
        }

    def _look(self) -> _Kept:
        gc.collect()
        kept: _Kept = Counter()
        for each in tracemalloc.take_snapshot().statistics("traceback"):
            kept[self._own_line(each.traceback)] += each.size
        return kept

    def _own_line(self, traceback: tracemalloc.Traceback) -> _Line | None:
        """The innermost one of the user's: what a library allocates counts for the line that calls it."""
        for frame in reversed(traceback):
            if self._places.name_of(frame.filename) is not None:
                return frame.filename, frame.lineno
        return None

    def _place_of(self, path: str, line: int) -> dict[str, Any]:
        return {
            "file": (self._places.name_of(path) or "?")[:LONGEST_TEXT],
            "line": max(1, line),
            "function": self._function_at(path, line)[:200],
            "code": linecache.getline(path, line).strip()[:200],
        }

    def _function_at(self, path: str, line: int) -> str:
        """Traces know lines only."""
        if path not in self._sources:
            self._sources[path] = read_source_lines(path)
        source = self._sources[path]
        around = (
            [] if source is None else [each for each in source.functions if each.first <= line <= each.last]
        )
        return around[-1].name if around else "<module>"
