"""The thread that reads the stacks of the others, 100 times a second.

It needs no permission (py-spy's ptrace does), knows which request a thread works for, and weighs each sample with
the CPU time that the thread has used since the one before, so that waiting is not taken for work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from loadtest_probe import natives
from loadtest_probe.endpoints import Endpoints
from loadtest_probe.idle import IDLE_FILES
from loadtest_probe.loop_watch import LoopWatch, request_of_task
from loadtest_probe.lost_time import LostTime
from loadtest_probe.no_collection import no_collection
from loadtest_probe.places import Place, Places
from loadtest_probe.request import Request
from loadtest_probe.settings import LOOK_AT_WAITS_EVERY_SECONDS, SAMPLE_EVERY_SECONDS, STALL_SECONDS
from loadtest_probe.thread_clock import ThreadClock
from loadtest_probe.waits import look_at_waits

_FEW_THREADS = 4
_LOOKS_AT_MANY = 8


class _Hold:
    """A stretch of samples in which the loop did not turn and the same task stood in all of them."""

    def __init__(self, task: object, beats: int, request: Request | None) -> None:
        self.task = task
        self.beats = beats
        self.request = request
        self.began = self.seen = natives.now()
        self.cpu = 0.0
        self.samples: Counter[Place | None] = Counter()


class Sampler:
    """`running` holds, for each worker thread that works for a request, that request."""

    def __init__(self, places: Places, endpoints: Endpoints) -> None:
        self._places = places
        self._endpoints = endpoints
        self.loops: list[LoopWatch] = []
        self.running: dict[int, Request] = {}
        self._holds: dict[int, _Hold] = {}
        self._clocks: dict[int, ThreadClock] = {}
        self._read: dict[int, float] = {}
        self._began: dict[int, float] = {}
        self.lost = LostTime()
        # Asked of the thread that asks: one that has ended has no clock anywhere.
        self.has_clocks = ThreadClock(natives.system_thread_id()).read() is not None
        self._looks = 0
        self._since_last_look = 0.0
        self._last_look = natives.now()
        self._looked_at_waits = natives.now()
        self._looked = natives.now()

    def begin(self) -> None:
        """A window begins: what the loops used before it is no part of it."""
        threads = [watch.system_thread for watch in self.loops]
        self.lost.begin(threads)
        for thread in threads:
            read = self._clock(thread).read()
            if read is not None:
                self._began[thread] = self._read[thread] = read

    def loop_cpu(self) -> float:
        """CPU seconds of the loops' threads since the window began."""
        reads = [(each.system_thread, self._clock(each.system_thread).read()) for each in self.loops]
        return sum(read - self._began.setdefault(thread, read) for thread, read in reads if read is not None)

    def run(self, is_wanted: Callable[[], bool], every_round: Callable[[], None]) -> None:
        """Until nobody wants it any more. What others change meanwhile may spoil a look; the next one is as good."""
        while is_wanted():
            natives.sleep(SAMPLE_EVERY_SECONDS)
            with suppress(RuntimeError), no_collection:
                self.look()
            every_round()

    def look(self) -> None:
        now = natives.now()
        self._since_last_look, self._last_look = max(now - self._last_look, 1e-6), now
        frames = natives.frames_of_threads()
        for watch in self.loops:
            frame = frames.get(watch.thread)
            if frame is not None:
                self._look_at_loop(watch, frame)
        self._look_at_threads(frames)
        if now - self._looked_at_waits >= LOOK_AT_WAITS_EVERY_SECONDS:
            seconds, self._looked_at_waits = now - self._looked_at_waits, now
            for watch in self.loops:
                look_at_waits(watch, self._places, seconds)
        if len(self._clocks) > 2_000:  # threads that came and went
            self._forget_clocks()

    def _look_at_threads(self, frames: dict[int, FrameType]) -> None:
        """Where many wait, a few looks tell as much, and the looks take the interpreter from the others."""
        self._looks += 1
        running = list(self.running.items())
        if len(running) > _FEW_THREADS and self._looks % _LOOKS_AT_MANY != 0:
            return
        now = natives.now()
        seconds, self._looked = now - self._looked, now
        for thread, request in running:
            frame = frames.get(thread)
            place = self._places.innermost(frame)
            if place is not None and request.is_open:
                request.add_spent(place, seconds)  # waiting, too: the thread is free for nobody else

    def _look_at_loop(self, watch: LoopWatch, frame: FrameType) -> None:
        request, since = watch.request, watch.since
        cpu = self._cpu_since_last(watch.system_thread)
        if request is None and frame.f_code.co_filename.endswith(IDLE_FILES):
            self._end_hold(watch)
            return  # what it used before it came to rest belongs to what is seen next
        place = self._places.innermost(frame)
        self._spend(watch.system_thread)
        if request is not None:
            self._end_hold(watch)
            if watch.since == since:  # else another step has begun meanwhile
                watch.sampled(place, cpu, self._since_last_look)
        else:
            request = self._hold(watch, place, cpu)
        if request is not None and request.is_open:
            request.add_on_loop(place, self._since_last_look, cpu)
        else:
            self._endpoints.add_outside_on_loop(place, self._since_last_look, cpu)

    def _hold(self, watch: LoopWatch, place: Place | None, cpu: float) -> Request | None:
        """A task other than a request's own runs; it leaves no mark of its own when it begins and ends."""
        task = watch.running_task()
        hold = self._holds.get(watch.thread)
        if hold is None or hold.task != id(task) or hold.beats != watch.beats:
            self._end_hold(watch)
            request = request_of_task(task) if task is not None else None
            hold = self._holds[watch.thread] = _Hold(id(task), watch.beats, request)
        hold.samples[place] += 1
        hold.seen = natives.now()
        hold.cpu += cpu
        if hold.request is not None:  # its own steps are timed; those of other tasks of its are estimated
            hold.request.cpu += cpu
            hold.request.held += cpu
        return hold.request

    def leave(self, watch: LoopWatch, request: Request) -> None:
        """Called by the loop's own thread when a request ends: what is known of it must reach it before."""
        if self._holds:
            hold = self._holds.get(watch.thread)
            if hold is not None and hold.request is request:
                self._end_hold(watch)

    def _end_hold(self, watch: LoopWatch) -> None:
        hold = self._holds.pop(watch.thread, None)
        if hold is None:
            return
        seen = sum(hold.samples.values())
        # On average it began half a look before the first sight of it, and ended half a look after the last. Who works
        # for long makes the looks late, so how far they were apart is measured.
        between = (hold.seen - hold.began) / (seen - 1) if seen > 1 else SAMPLE_EVERY_SECONDS
        seconds = seen * between
        if seconds < STALL_SECONDS:
            return
        if hold.request is not None:
            hold.request.held += max(0.0, seconds - hold.cpu)
        for place, count in hold.samples.items():
            share = count / seen
            if hold.request is not None and hold.request.is_open:
                hold.request.add_stall(place, seconds * share, hold.cpu * share)
            else:
                self._endpoints.add_outside_stall(place, seconds * share, hold.cpu * share)

    def _cpu_since_last(self, system_thread: int) -> float:
        read = self._clock(system_thread).read()
        if read is None:
            return 0.0
        last = self._read.setdefault(system_thread, read)
        self._began.setdefault(system_thread, read)
        self._latest = read
        return max(0.0, read - last)

    def _clock(self, system_thread: int) -> ThreadClock:
        clock = self._clocks.get(system_thread)
        if clock is None:
            clock = self._clocks[system_thread] = ThreadClock(system_thread)
        return clock

    def _spend(self, system_thread: int) -> None:
        if system_thread in self._read:
            self._read[system_thread] = self._latest

    def _forget_clocks(self) -> None:
        for clock in self._clocks.values():
            clock.close()
        self._clocks.clear()
        self._read.clear()
