"""CPU time of other threads, without asking for permission and without the risk of a thread that is gone.

`time.pthread_getcpuclockid` of a thread that has just ended may crash the process; a file of one that has ended is
only an error.
"""

from __future__ import annotations

import os


class ThreadClock:
    """CPU seconds of a thread of this process; `None` where the system does not say."""

    def __init__(self, system_thread_id: int) -> None:
        try:
            self._file = os.open(f"/proc/self/task/{system_thread_id}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = -1

    def read(self) -> float | None:
        if self._file < 0:
            return None
        try:
            return int(os.pread(self._file, 64, 0).split(None, 1)[0]) / 1e9
        except (OSError, ValueError, IndexError):
            self.close()
            return None

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
