"""Which of the user's own functions run: from the start of the process on, and for the requests of each window.

Python reports each call, which costs far too much under load, so this has a phase and a process of its own.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import json
import os
import sys
import threading
from typing import Any

from loadtest_probe import natives
from loadtest_probe.calls import Calls, Window
from loadtest_probe.outside import Outside
from loadtest_probe.places import Places, function_name
from loadtest_probe.private_file import replace_private
from loadtest_probe.settings import FOLDER, WRITE_EVERY_SECONDS, Settings
from loadtest_probe.source_lines import SourceLines, read_source_lines
from loadtest_probe.window_file import START, WindowFile

_LOOK_EVERY_SECONDS = 0.05
_MOST_WINDOWS = 1_000
_MOST_OPENED = 2_000
# What starts a program without a word on which variables it gets.
_PROGRAM_STARTS = ("os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.system")

# By file, then by function (its name and first line): in which windows it ran, and how often.
_Ran = dict[str, dict[tuple[str, int], dict[str, int]]]


class Reach:
    """One in each process. A process that forks has two, with all that had run before in both."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.folder
        self._root = os.path.realpath(settings.app_folder) + os.sep
        self._places = Places(settings.app_folder)
        self._calls = Calls()
        self._windows: dict[str, Window] = {START: self._calls.window}
        self._window_file = WindowFile(settings.folder)
        self._outside = Outside()
        self._opened: set[str] = set()
        self._doubts: set[str] = set()
        self._sources: dict[str, SourceLines | None] = {}
        self._is_ours = False
        self._lock = natives.make_lock()
        self._has_ended = False

    def begin(self) -> None:
        """Called before any other code of the process."""
        sys.addaudithook(self._on_event)
        self._outside.begin()
        self._is_ours = True
        self._calls.begin(lambda path: self._places.name_of(path) is not None)
        self._is_ours = False
        if self._calls.may_miss:
            _thread.start_new_thread = self._start_bare_thread
        os.register_at_fork(after_in_child=self._start)
        atexit.register(self._end)
        self._start()

    def _start(self) -> None:
        self._path = os.path.join(self._folder, f"worker-{os.getpid()}-{os.urandom(4).hex()}.json")
        self._lock = natives.make_lock()
        self._has_ended = False
        with contextlib.suppress(Exception):
            self._write()  # else one that ends at once would leave no trace
        natives.start_thread(self._watch, ())

    def _end(self) -> None:
        """The process ends: what it ran until now is all."""
        self._has_ended = True
        with contextlib.suppress(Exception):
            self._write()

    def _watch(self) -> None:
        written = 0.0
        while True:
            natives.sleep(_LOOK_EVERY_SECONDS)
            self._look_for_window()
            if natives.now() - written >= WRITE_EVERY_SECONDS:
                try:
                    self._write()
                except OSError:
                    return  # the folder is gone: nobody wants to know any more
                written = natives.now()

    def _look_for_window(self) -> None:
        name = self._window_file.another()
        if name is None:
            return
        self._outside.window = name
        if len(self._windows) < _MOST_WINDOWS:
            self._calls.window = self._windows.setdefault(name, Window())

    def _write(self) -> None:
        with self._lock:
            replace_private(self._path, json.dumps(self._document(), separators=(",", ":")).encode())

    def _document(self) -> dict[str, Any]:
        # Libraries try to import it wherever they are, so an attempt says nothing.
        if self._calls.may_miss and sys.modules.get("gevent") is not None:
            self._doubts.add("it uses gevent, whose switches hide calls")
        return {
            "schemaVersion": 1,
            "ended": self._has_ended,
            "windows": list(self._windows),
            "doubts": sorted(self._doubts),
            "opened": sorted(self._opened),
            "outside": self._outside.hosts(),
            "files": self._files(),
        }

    def _files(self) -> list[dict[str, Any]]:
        """The user's files of which any code ran: their functions, and in which windows each did."""
        ran: _Ran = {}
        for window, seen in list(self._windows.items()):
            for code, calls in seen.calls():
                file = self._places.name_of(code.co_filename)
                if file is not None:
                    key = (function_name(code).rpartition(".")[2], code.co_firstlineno)
                    windows = ran.setdefault(file, {}).setdefault(key, {})
                    windows[window] = windows.get(window, 0) + calls
        return [self._file(file, functions) for file, functions in sorted(ran.items())]

    def _file(self, file: str, ran: dict[tuple[str, int], dict[str, int]]) -> dict[str, Any]:
        if file not in self._sources:
            self._sources[file] = read_source_lines(self._root + file)
        lines = self._sources[file]
        if lines is None:
            return {"file": file, "functions": None, "empty": []}
        functions = [
            {
                "name": each.name,
                "first": each.first,
                "last": each.last,
                "ran": list(windows),
                "calls": list(windows.values()),
            }
            for each in lines.functions
            for windows in (ran.get((each.plain_name, each.code_first), {}),)
        ]
        return {"file": file, "functions": functions, "empty": lines.empty}

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Whatever goes wrong here must not go wrong in the app."""
        try:
            if event == "open":
                self._on_open(arguments[0])
            elif event == "subprocess.Popen":
                self._on_program(arguments)
            elif event in _PROGRAM_STARTS:
                # `subprocess` itself, newer ones by this way, has reported it.
                if sys._getframe(1).f_globals.get("__name__") != "subprocess":
                    self._doubts.add("it starts other programs")
            elif event == "sys.setprofile" and self._calls.may_miss and not self._is_ours:
                self._on_profile_function()
        except Exception:
            self._doubts.add("a part of it could not be seen")

    def _on_profile_function(self) -> None:
        # A new thread sets what `threading.setprofile` got.
        is_threads = sys._getframe(2).f_code.co_filename == threading.__file__
        if not (is_threads and threading._profile_hook is self._calls.profile_function):
            self._doubts.add("it sets a profile function of its own")

    def _start_bare_thread(self, *arguments: Any) -> int:
        """In the place of `_thread.start_new_thread`, which Python's own module has taken long before."""
        self._doubts.add("it starts threads past Python's own module")
        return natives.start_thread(*arguments)

    def _on_open(self, path: Any) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        text = os.fsdecode(path)
        if text.endswith(".pyc"):
            return  # Python's own copy of a file that is known
        real = os.path.realpath(text)
        if real.startswith(self._root) and len(self._opened) < _MOST_OPENED:
            self._opened.add(real[len(self._root) :])

    def _on_program(self, arguments: tuple[Any, ...]) -> None:
        """A Python that inherits our variables reports itself; one that does not, and a script of the user's, is
        unseen."""
        program, words, folder, variables = arguments
        texts = [
            os.fsdecode(each) for each in [program, *words] if isinstance(each, (str, bytes, os.PathLike))
        ]
        for text in texts:
            real = os.path.realpath(os.path.join(folder or os.getcwd(), text))
            if (
                real.startswith(self._root)
                and os.path.isfile(real)
                and self._places.name_of(real) is not None
            ):
                self._doubts.add("it runs scripts of its own")
        is_python = any(os.path.basename(text).startswith("python") for text in texts[:2])
        if is_python and variables is not None and FOLDER not in variables:
            self._doubts.add("it starts another Python that cannot be watched")
