"""Time in which a loop had work, and the machine let something else run: it looks like a call that blocks."""

from __future__ import annotations

import os
from collections.abc import Iterable

_STEAL = 8  # among the words of a CPU's line in /proc/stat


class LostTime:
    """The loops' lost time in this process since the window began; unknown if the system does not show it."""

    def __init__(self) -> None:
        self._waited: dict[int, float] = {}
        self._stolen: dict[int, float] = {}

    def begin(self, threads: Iterable[int]) -> None:
        self._waited = {thread: _waited_seconds(thread) for thread in threads}
        self._stolen = _stolen_seconds()

    def seconds(self, threads: Iterable[int]) -> float:
        """The wait for a CPU, and what the hypervisor took of the CPU that it took most of."""
        waited = sum(_waited_seconds(thread) - self._waited.get(thread, 0.0) for thread in threads)
        stolen = [seconds - self._stolen.get(cpu, seconds) for cpu, seconds in _stolen_seconds().items()]
        return max(0.0, waited) + max(0.0, *stolen, 0.0)


def _waited_seconds(thread: int) -> float:
    try:
        with open(f"/proc/self/task/{thread}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _stolen_seconds() -> dict[int, float]:
    """By the CPUs that this process may use."""
    try:
        ours = {f"cpu{cpu}": cpu for cpu in os.sched_getaffinity(0)}
        with open("/proc/stat", encoding="ascii") as file:
            lines = [line.split() for line in file.read().splitlines()]
        ticks = os.sysconf("SC_CLK_TCK")
        return {ours[words[0]]: int(words[_STEAL]) / ticks for words in lines if words and words[0] in ours}
    except (OSError, ValueError, IndexError, AttributeError):
        return {}
