"""At which of the user's lines do requests wait for something? Their coroutines know, while they wait."""

from __future__ import annotations

from typing import Any

from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.places import Place, Places
from loadtest_probe.request import Request

_MOST_LOOKED_AT = 20
_DEEPEST = 200


def look_at_waits(watch: LoopWatch, places: Places, seconds: float) -> None:
    """Each request that waits has waited `seconds` more; of many, some are checked for all."""
    waiting = [each for each in watch.open.copy() if each.coroutine is not None and each is not watch.request]
    looked_at = waiting[:: len(waiting) // _MOST_LOOKED_AT + 1]
    for request in looked_at:
        place = _place_of(request, places)
        if place is not None and request.is_open:
            request.add_waited(place, seconds * len(waiting) / len(looked_at))


def _place_of(request: Request, places: Places) -> Place | None:
    """That of its youngest task that waits at a line of the user's: who made the task waits for it."""
    for running in [request.coroutine, *(request.tasks or [])][::-1]:
        place = waiting_place(running, places)
        if place is not None:
            return place
    return None


def waiting_place(coroutine: Any, places: Places) -> Place | None:
    """The innermost of the user's own lines; `None` while it runs, or where only others' code waits."""
    place = None
    awaited = coroutine
    for _ in range(_DEEPEST):
        step = _next_of(awaited)
        if step is None:
            return None
        awaited, frame = step
        if frame is None:
            break  # a future, a task, or what is written in C
        place = places.at(frame) or place
    return place


def _next_of(awaited: Any) -> tuple[Any, Any] | None:
    """What it waits for, and its frame; `None` while it runs.

    Python 3.11 and 3.12 take whatever lies below the frame of a running coroutine for what it awaits, and die of it.
    So there is no call between the two looks: at its end another thread could let the coroutine go on.
    """
    try:
        return None if awaited is None or awaited.cr_running else (awaited.cr_await, awaited.cr_frame)
    except AttributeError:
        pass
    try:
        return None if awaited.gi_running else (awaited.gi_yieldfrom, awaited.gi_frame)
    except AttributeError:
        return None, None
