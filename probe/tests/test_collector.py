"""What Python's garbage collector does, and where."""

from __future__ import annotations

import _thread
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loadtest_probe.collector import Collector
from loadtest_probe.places import Places


def test_no_line_is_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the end of a thread, where an error has no one to go to but the app's log."""
    errors: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", errors.append)
    collector = Collector(Places(str(tmp_path)))
    _thread.start_new_thread(collector._on_collection, ("start", {"generation": 2}))
    _until(lambda: errors or collector._is_collecting)
    _thread.start_new_thread(collector._on_collection, ("stop", {"generation": 2}))
    _until(lambda: errors or collector.snapshot())
    assert errors == []
    assert [*collector.snapshot()] == [None]


def test_only_what_grows_with_the_heap(tmp_path: Path) -> None:
    collector = Collector(Places(str(tmp_path)))
    collector.watch()
    try:
        gc.collect(0)
        assert collector.snapshot() == {}
        gc.collect()
    finally:
        collector.leave()
    assert [amount.count for amount in collector.snapshot().values()] == [1]
    gc.collect()
    assert [amount.count for amount in collector.snapshot().values()] == [1]


def _until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
