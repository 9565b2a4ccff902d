"""No garbage is collected while frames of other threads are read.

Python 3.11 makes a frame's object when somebody asks for it, and may collect garbage before it has done so. What the
collection calls lets other threads go on; where the frame has ended by then, its object is written into what lies in
its place now, and the process dies. Older versions have the objects already, newer ones collect between steps only.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

_IS_NEEDED = sys.version_info[:2] == (3, 11)


class _NoCollection:
    """One is enough: a process has one thread that looks."""

    def __init__(self) -> None:
        self._is_off = False
        os.register_at_fork(after_in_child=self.__exit__)

    def __enter__(self) -> None:
        self._is_off = _IS_NEEDED and gc.isenabled()
        if self._is_off:
            gc.disable()

    def __exit__(self, *_: Any) -> None:
        if self._is_off:
            self._is_off = False
            gc.enable()


no_collection = _NoCollection()
