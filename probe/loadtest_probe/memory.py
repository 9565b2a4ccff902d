"""Resident memory of this process."""

from __future__ import annotations

import os


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
