"""One event loop: how late it is, and who held it."""

from __future__ import annotations

import asyncio
import gc
from asyncio.events import AbstractEventLoop
from collections import Counter
from contextvars import Context
from random import Random
from typing import Any

from loadtest_probe import natives
from loadtest_probe.places import Place
from loadtest_probe.request import Request, current_request
from loadtest_probe.settings import BEAT_EVERY_SECONDS, CLOCKED_A_SECOND

# Our own: an app that has seeded Python's must get the numbers that it would get anyway.
_random = Random().random  # noqa: S311 - nothing is kept secret by it
_CHOOSE_EVERY_BEATS = 10
_LAG_LIMITS = (0.001, 0.002, 0.005, 0.010, 0.020, 0.050, 0.100, 0.200, 0.500, 1.0)


class LoopWatch:
    """Belongs to the thread that it was made in. The step that is under way is written by that thread and read by
    the sampler; a read that comes a moment too late costs one sample, so there is no lock."""

    def __init__(self, loop: Any, name: str) -> None:
        self.loop = loop
        self.name = name
        self.thread = natives.thread_id()
        self.system_thread = natives.system_thread_id()
        # The step of a request that runs now.
        self.request: Request | None = None
        self.since = 0.0
        # The sampler's: places seen during the step that began at `sampled_since`.
        self.sampled_since = 0.0
        self.samples: Counter[Place | None] = Counter()
        self.samples_cpu = 0.0
        self.samples_seconds = 0.0
        self.beats = 0
        # Requests under way, and whether there was any since the last beat: the lag of an idle loop is of no interest.
        self.open: set[Request] = set()
        self.was_busy = False
        # Requests since the last choice of `one_in`.
        self.entered = 0
        self.chosen = natives.now()
        self.one_in = 1.0
        self.begin()

    def begin(self) -> None:
        self.lag_count = 0
        self.lag_total = 0.0
        self.lag_longest = 0.0
        self.lag_counts = [0] * (len(_LAG_LIMITS) + 1)

    def enter(self, request: Request) -> bool:
        """A request begins. True if the CPU's clock is to be read for it; it is for all while they are few."""
        self.open.add(request)
        self.was_busy = True
        self.entered += 1
        return self.one_in <= 1.0 or _random() * self.one_in < 1.0

    def start_beating(self) -> None:
        """A timer that should fire at known times: how late it does is what every other event waits, too."""
        self._due = natives.now() + BEAT_EVERY_SECONDS
        self.loop.call_later(BEAT_EVERY_SECONDS, self._beat)

    def _beat(self) -> None:
        self.beat(max(0.0, natives.now() - self._due))
        if not self.loop.is_closed():
            self.start_beating()

    def beat(self, lag: float) -> None:
        self.beats += 1
        if self.beats % _CHOOSE_EVERY_BEATS == 0:
            self._choose()
        was_busy, self.was_busy = self.was_busy, bool(self.open)
        if not was_busy:
            return
        self.lag_count += 1
        self.lag_total += lag
        self.lag_longest = max(self.lag_longest, lag)
        self.lag_counts[sum(lag > limit for limit in _LAG_LIMITS)] += 1

    def _choose(self) -> None:
        """Reading the CPU's clock costs a system call, which is nothing in 5 ms and much in 0.1 ms."""
        now = natives.now()
        self.one_in = self.entered / (now - self.chosen) / CLOCKED_A_SECOND
        self.entered, self.chosen = 0, now

    def sampled(self, place: Place | None, cpu: float, seconds: float) -> None:
        """Called from the sampler's thread: what it saw of the step that runs, and since its last look."""
        if self.sampled_since != self.since:
            self.sampled_since = self.since
            self.samples = Counter()
            # What was used before the step began is in the first reading, so the first counts only while it is alone.
            self.samples_cpu, self.samples_seconds = min(cpu, seconds), seconds
        elif sum(self.samples.values()) == 1:
            self.samples_cpu, self.samples_seconds = cpu, seconds
        else:
            self.samples_cpu += cpu
            self.samples_seconds += seconds
        self.samples[place] += 1

    def stalled(self, request: Request, began: float, wall: float, cpu: float | None) -> None:
        """A step held the loop: its time goes to the places where it was seen, by how often it was seen there. Where
        the CPU's clock was not read, the sampler's readings tell how much of it was work."""
        samples = self.samples if self.sampled_since == began else None
        if cpu is None:
            cpu = wall * min(1.0, self.samples_cpu / self.samples_seconds) if samples else 0.0
        if not samples:
            request.add_stall(None, wall, cpu)
            return
        self.samples = Counter()
        seen = sum(samples.values())
        for place, count in samples.items():
            request.add_stall(place, wall * count / seen, cpu * count / seen)

    def running_task(self) -> asyncio.Task[Any] | None:
        """Called from the sampler's thread."""
        if not isinstance(self.loop, AbstractEventLoop):
            return None
        try:
            return asyncio.current_task(self.loop)
        except Exception:
            return None


def request_of_task(task: asyncio.Task[Any]) -> Request | None:
    """The request that a task works for. A task made by `gather` has a context of its own, which only Python 3.12
    hands out; before, it is among what the garbage collector sees of the task."""
    try:
        context = task.get_context() if hasattr(task, "get_context") else None
        if context is None:
            context = next((each for each in gc.get_referents(task) if isinstance(each, Context)), None)
        request = context.get(current_request) if context is not None else None
    except Exception:
        return None
    return request if isinstance(request, Request) and request.is_open else None
