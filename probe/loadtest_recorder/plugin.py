"""The plugin of pytest: which test runs, for how long, and what the first failure says."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Generator
from types import FrameType
from typing import Any

import pytest

from loadtest_recorder.notes import Notes

_LONGEST = 400
_ERROR = re.compile(r"(?:\w+\.)*[A-Z]\w*: \S")
_MISSING = re.compile(r"No module named '(\w+)")
_REFUSAL = re.compile(
    r"bad|cannot|conflict|denied|duplicate|error|exceed|expired|fail|forbid|invalid|limit|missing|mismatch|nonexist|"
    r"not_|raises|reject|unauth|unknown|without|wrong|_no_|(?<!\d)[45]\d\d(?!\d)"
)
_FIRST_OF_FILE = 3
_ORDERED = ("order", "run", "dependency", "depends", "incremental")


def by_use(items: list[Any]) -> list[Any]:
    """Some of each file before the rest, and tests of refusals, which show no request that works, last.

    An order that the suite itself wants stays.
    """
    if any(item.get_closest_marker(name) for item in items for name in _ORDERED):
        return items
    places: dict[str, int] = {}

    def rank(item: Any) -> int:
        if _REFUSAL.search(item.name.lower()):
            return 2
        file = item.nodeid.partition("::")[0]
        places[file] = places.get(file, 0) + 1
        return 0 if places[file] <= _FIRST_OF_FILE else 1

    return sorted(items, key=rank)


class Recorder:
    def __init__(
        self,
        notes: Notes,
        begin_test: Callable[[], None],
        seconds: float,
        test_seconds: float,
        quiet_seconds: float,
    ) -> None:
        self._notes, self._test_seconds = notes, test_seconds
        self._end = time.monotonic() + seconds
        self._seconds, self._begin_test, self._quiet_seconds = seconds, begin_test, quiet_seconds
        self.passed = self.failed = 0
        self.first = ""
        self._missing: set[str] = set()
        self.broken = ""
        """Folder of a conftest that cannot be imported, so that no test was run."""
        signal.signal(signal.SIGALRM, self._late)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = by_use(items)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, None, None]:
        self._notes.test = item.nodeid
        self._begin_test()
        left = min(self._test_seconds, max(0.1, self._end - time.monotonic()))
        signal.setitimer(signal.ITIMER_REAL, left)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _late(self, number: int, frame: FrameType | None) -> None:
        pytest.fail(f"took longer than {self._test_seconds:g} s")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self) -> Generator[None, Any, None]:
        outcome = yield
        error = outcome.excinfo[1] if outcome.excinfo else None
        if error is not None:
            self.broken = os.path.dirname(str(getattr(error, "path", "")))
            cause = getattr(error, "cause", None) or (getattr(error, "excinfo", None) or (None, error))[1]
            self._notice(str(cause))
            self.first = self.first or f"{type(cause).__name__}: {cause}"[:_LONGEST]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            self.passed += 1
        elif report.failed:
            self.failed += 1
            self._says(report)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._says(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.write()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: Any) -> None:
        # What a test blocks in a library in C is ended from outside.
        ending = threading.Timer(self._seconds + self._test_seconds, os._exit, (0,))
        ending.daemon = True
        ending.start()
        self._session = session

    def write(self) -> None:
        missing = sorted(self._missing)
        counts = {"passed": self.passed, "failed": self.failed}
        self._notes.write("outcome", **counts, first=self.first, missing=missing)
        now, newest = time.monotonic(), self._notes.newest
        if now > self._end or (newest is not None and now > newest + self._quiet_seconds):
            self._session.shouldstop = "the time is over, or nothing new is learned"

    def _notice(self, text: str) -> None:
        self._missing.update(_MISSING.findall(text))

    def _says(self, report: Any) -> None:
        """The error in its own words, without its place."""
        self._notice(report.longreprtext)
        lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E  ")]
        errors = [line for line in lines if _ERROR.match(line)]
        said = [*errors, *lines, *report.longreprtext.strip().splitlines()[-1:], "it failed"]
        self.first = self.first or said[0][:_LONGEST]
