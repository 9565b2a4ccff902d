"""Which code is called, and how often: by `sys.monitoring` from Python 3.12 on, else by a profile function."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable

# Ids of 0 to 2 and 5 are for debuggers, coverage, profilers and optimizers.
_TOOL_IDS = (4, 3)


class Window:
    """What is called while it is the current one."""

    def __init__(self) -> None:
        # By id: to compare two codes would mean to compare what is in them.
        self._codes: dict[int, CodeType] = {}
        # How often each was entered, and where in it: a coroutine that goes on is entered again, further down.
        self._entered: dict[tuple[int, int], int] = {}

    def enter(self, code: CodeType, place: int) -> None:
        key = id(code), place
        if key in self._entered:
            self._entered[key] += 1
        else:
            self._codes[id(code)] = code
            self._entered[key] = 1

    def calls(self) -> list[tuple[CodeType, int]]:
        """How often each code was called: what is entered at its first place is new, all else goes on."""
        entered = self._entered.copy()
        first: dict[int, int] = {}
        for code, place in entered:
            first[code] = min(place, first.get(code, place))
        return [(self._codes[code], entered[code, place]) for code, place in first.items()]


class Calls:
    """One in each process."""

    def __init__(self) -> None:
        self.window = Window()
        # True if calls may be missed: in threads past Python's own module, in greenlets, with other profilers.
        self.may_miss = True
        self.profile_function: Callable[[FrameType, str, Any], None] | None = None

    def begin(self, is_of_interest: Callable[[str], bool]) -> None:
        """From now on. `is_of_interest`: whether a file's calls are wanted; those of others may be noted as well."""
        tool = _free_tool()
        if tool is None:
            self._profile()
        else:
            self._monitor(tool, is_of_interest)

    def _profile(self) -> None:
        def on_call(frame: FrameType, event: str, _argument: Any) -> None:
            if event == "call":
                self.window.enter(frame.f_code, frame.f_lasti)

        self.profile_function = on_call
        threading.setprofile(on_call)
        sys.setprofile(on_call)

    def _monitor(self, tool: int, is_of_interest: Callable[[str], bool]) -> None:
        monitoring: Any = getattr(sys, "monitoring")  # noqa: B009 - older Pythons have none

        def on_entry(code: CodeType, place: int) -> object:
            try:
                if not is_of_interest(code.co_filename):
                    return monitoring.DISABLE
                self.window.enter(code, place)
            except Exception:  # it would be the app's
                return monitoring.DISABLE
            return None

        entries = (monitoring.events.PY_START, monitoring.events.PY_RESUME)
        for event in entries:
            monitoring.register_callback(tool, event, on_entry)
        monitoring.set_events(tool, sum(entries))
        self.may_miss = False


def _free_tool() -> int | None:
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return None
    for tool in _TOOL_IDS:
        if monitoring.get_tool(tool) is None:
            monitoring.use_tool_id(tool, "fastapi-loadtest")
            return tool
    return None
