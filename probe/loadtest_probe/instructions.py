"""Instructions that the process has executed, by the processor's counter: other load does not change how many they are.

Few machines let a process see it (perf_event_open). Where the system refuses, for whatever reason, nothing is counted.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress

# Type and number of what is counted.
INSTRUCTIONS = (0, 1)
# Nanoseconds of CPU time, which the system counts by itself: the same way through, on machines without a counter.
TASK_CLOCK = (1, 1)

_OPEN_CALLS = {"x86_64": 298, "aarch64": 241}
_SIZE = 112
# Type, size, number, period, what a sample holds, what is read (the times as well), and switches. The others are 0.
_WANTED = struct.Struct("=IIQQQQQ")
_TIMES = 0b11
# Threads that begin later are counted as well; processes, the kernel and the hypervisor are not (Linux 5.13).
_SWITCHES = 1 << 1 | 1 << 5 | 1 << 6 | 1 << 35
_CLOSE_ON_EXEC = 8
_READ = struct.Struct("=QQQ")


class Instructions:
    """Counts the thread that begins to count and all that begin after it; those that have ended stay counted."""

    def __init__(self, event: tuple[int, int] = INSTRUCTIONS) -> None:
        self._event = event
        self._file = -1

    def begin(self) -> None:
        """Anew after a fork: the parent's counter is the parent's."""
        self.close()
        # Whatever is missing here, the app works without it.
        with suppress(Exception):
            self._file = _open(*self._event)

    def read(self) -> int | None:
        """`None` where nothing is counted, or where others had the counter at times."""
        if self._file < 0:
            return None
        try:
            count, enabled, running = _READ.unpack(os.read(self._file, _READ.size))
        except (OSError, struct.error):
            self._file = -1
            return None
        return int(count) if enabled == running else None

    def check(self) -> None:
        """An app that closes all files, as it does to become a daemon, may have others by this number."""
        if self._file < 0:
            return
        try:
            is_ours = "perf_event" in os.readlink(f"/proc/self/fd/{self._file}")
        except OSError:
            is_ours = False
        if not is_ours:
            self._file = -1

    def close(self) -> None:
        self.check()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _open(kind: int, number: int) -> int:
    """The file of the counter; below 0 where there is none."""
    call = _OPEN_CALLS.get(os.uname().machine)
    if call is None or sys.platform != "linux" or sys.maxsize < 2**32:  # calls have other numbers there
        return -1
    import ctypes

    wanted = _WANTED.pack(kind, _SIZE, number, 0, 0, _TIMES, _SWITCHES)
    # This thread, on each processor, in no group.
    thread, processor, group = (ctypes.c_long(each) for each in (0, -1, -1))
    numbers = (thread, processor, group, ctypes.c_ulong(_CLOSE_ON_EXEC))
    return int(
        ctypes.CDLL(None).syscall(ctypes.c_long(call), ctypes.create_string_buffer(wanted, _SIZE), *numbers)
    )
