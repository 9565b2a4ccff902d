"""Resident memory of this process."""

from __future__ import annotations

import os


class Memory:
    """At the start of the window, now, and at most; `None` where there is no procfs."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.began = self.now = self.peak = resident_bytes()

    def look(self) -> None:
        memory = resident_bytes()
        if memory is not None:
            self.now = memory
            self.peak = max(self.peak or 0, memory)


def resident_bytes() -> int | None:
    """`None` where there is no procfs."""
    try:
        file = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return int(os.read(file, 200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError):
        return None
