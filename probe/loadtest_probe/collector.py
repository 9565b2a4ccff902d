"""Python's garbage collector: how long it works, and at whose lines it begins."""

from __future__ import annotations

import gc
import sys
from typing import Any

from loadtest_probe import natives
from loadtest_probe.places import Place, Places
from loadtest_probe.request import Amount, amount_of
from loadtest_probe.settings import MOST_OF_A_KIND


class Collector:
    """Work of the collector that grows with the heap. What it does for the youngest objects costs next to nothing and
    comes hundreds of times a second, so it is left out."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._place: Place | None = None
        self._began = self._cpu = 0.0
        self._is_collecting = False
        self.begin()

    def begin(self) -> None:
        self._amounts: dict[Place | None, Amount] = {}

    def watch(self) -> None:
        gc.callbacks.append(self._on_collection)

    def leave(self) -> None:
        if self._on_collection in gc.callbacks:
            gc.callbacks.remove(self._on_collection)

    def snapshot(self) -> dict[Place | None, Amount]:
        return dict(self._amounts)

    def _on_collection(self, phase: str, about: dict[str, Any]) -> None:
        """In the thread whose new object was one too many, between two of its steps."""
        if about["generation"] == 0:
            return
        if phase == "start":
            # At the end of a thread or of Python no line is running any more.
            self._place = self._places.innermost(sys._getframe().f_back)
            self._began, self._cpu = natives.now(), natives.thread_cpu()
            self._is_collecting = True
        elif self._is_collecting:
            self._is_collecting = False
            if self._place in self._amounts or len(self._amounts) < MOST_OF_A_KIND:
                amount = amount_of(self._amounts, self._place)
                amount.add(natives.now() - self._began, natives.thread_cpu() - self._cpu)
