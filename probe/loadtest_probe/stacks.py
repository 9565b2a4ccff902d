"""Which functions take the CPU time: the whole stack, up to a thousand times a second, for a few seconds of load.

A timer interrupts the main thread where it is. A thread that looks at the others must first get the interpreter, and
gets it where they give it back, at the end of a step: it never sees what is in the middle of a short one.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import sys
import threading
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

from loadtest_probe import natives
from loadtest_probe.idle import IDLE_FILES, IDLE_THREAD_FILES
from loadtest_probe.instructions import Instructions
from loadtest_probe.no_collection import no_collection
from loadtest_probe.places import Places
from loadtest_probe.private_file import replace_private
from loadtest_probe.settings import AFTER, WINDOW, Settings
from loadtest_probe.stack_document import COLLECTOR, Sample, make_stack_document
from loadtest_probe.thread_clock import ThreadClock

_BUSY_SECONDS = 0.0006
_IDLE_SECONDS = 0.005
# A share of the time since the last look: with less CPU time than that the process did next to nothing.
_LITTLE = 0.1
_WATCH_EVERY_SECONDS = 0.05
# A thread that waits for the interpreter gets it after so long, in place of 5 ms: else only ends of steps are seen.
# With a quarter of that, handing work to threads cost half as much again as without a look.
_SWITCH_SECONDS = 0.0002
_DEEPEST = 300
_MOST_SAMPLES = 60_000
_MOST_STACKS = 20_000

_random = Random().random  # noqa: S311 - nothing is kept secret by it


class Stacks:
    """One in each process. Asleep but for windows with a name; the one after each has its samples written down."""

    def __init__(self, settings: Settings, instructions: Instructions | None = None) -> None:
        self._instructions = instructions or Instructions()
        self._folder = settings.folder
        self._places = Places(settings.app_folder)
        # By id: to compare two codes would mean to compare what is in them. Kept, so that no id is used twice.
        self._codes: dict[int, CodeType] = {}
        self._is_own: dict[int, bool] = {}
        self._idle: set[int] = set()
        self._clocks: dict[int, tuple[ThreadClock, float]] = {}
        self._switch = sys.getswitchinterval()
        self._is_recording = False
        self._collected = self._collecting = 0.0
        self._window = ""
        self._forget()

    def begin(self) -> None:
        """Called in the main thread, before any other code of the process."""
        signal.signal(signal.SIGALRM, self._on_alarm)
        # Calls into the system go on by themselves, as far as they can.
        signal.siginterrupt(signal.SIGALRM, False)
        gc.callbacks.append(self._on_collection)
        atexit.register(self._end)
        os.register_at_fork(after_in_child=self._start)
        self._start()

    def _start(self) -> None:
        self._path = os.path.join(self._folder, f"worker-{os.getpid()}-{os.urandom(4).hex()}.json")
        self._main = natives.thread_id()
        self._state: tuple[int, int] | None = None
        self._is_recording = False
        self._clocks = {}
        self._instructions.begin()
        name = self._next_window()
        if name is not None and not name.endswith(AFTER):
            self._record(name)  # open already: the start itself is wanted
        natives.start_thread(self._watch, ())

    def _forget(self) -> None:
        self._stacks: dict[tuple[int, ...], int] = {}
        self._samples: list[Sample] = []
        self._last: int | None = None
        self._was_idle = True
        self._collected = 0.0

    def _watch(self) -> None:
        text = b""
        while True:
            natives.sleep(_WATCH_EVERY_SECONDS)
            name = self._next_window()
            try:
                if name is not None:
                    if name.endswith(AFTER):
                        self._stop()
                        text = self._document()
                    else:
                        self._record(name)
                if text and not self._is_recording:
                    replace_private(self._path, text)
            except OSError:
                return  # the folder is gone: nobody wants to know any more

    def _next_window(self) -> str | None:
        path = Path(self._folder, WINDOW)
        try:
            found = path.stat()
            state = (found.st_mtime_ns, found.st_ino)
            if state == self._state:
                return None
            name = path.read_text(encoding="utf-8")[:100].strip()
        except (OSError, ValueError):
            return None
        self._state = state
        return name

    def _record(self, name: str) -> None:
        self._forget()
        self._window = name
        self._read_clocks()
        self._cpu, self._main_cpu, self._looked = natives.process_cpu(), 0.0, natives.now()
        self._has_main = False
        self._instructions.check()
        sys.setswitchinterval(_SWITCH_SECONDS)
        self._is_recording = True
        signal.setitimer(signal.ITIMER_REAL, _BUSY_SECONDS)

    def _stop(self) -> None:
        if self._is_recording:
            self._is_recording = False
            sys.setswitchinterval(self._switch)

    def _end(self) -> None:
        """A Python that puts itself away takes its signals' functions back, and the next alarm would kill it."""
        self._is_recording = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _document(self) -> bytes:
        is_ours = signal.getsignal(signal.SIGALRM) == self._on_alarm
        document = make_stack_document(
            self._window, self._places, self._codes, self._is_own, self._stacks, self._samples
        )
        document["unseen"] = [] if is_ours else ["the app takes the timer's signal (SIGALRM) for itself"]
        return json.dumps(document, separators=(",", ":")).encode()

    def _on_collection(self, phase: str, _about: Any) -> None:
        if not self._is_recording:
            return
        now = natives.thread_cpu()
        if phase == "start":
            self._collecting = now
        else:
            self._collected += max(0.0, now - self._collecting)

    def _on_alarm(self, _signal: int, frame: FrameType | None) -> None:
        """Whatever goes wrong here must not go wrong in the app."""
        if not self._is_recording:
            return
        try:
            self._look(frame)
        except Exception:
            self._was_idle = True
        finally:
            wait = _IDLE_SECONDS if self._was_idle else _BUSY_SECONDS
            signal.setitimer(signal.ITIMER_REAL, wait * (0.5 + _random()))

    def _look(self, frame: FrameType | None) -> None:
        cpu, main_cpu, now = natives.process_cpu(), natives.thread_cpu(), natives.now()
        executed = self._instructions.read()
        if not self._has_main:  # the first look only sets the clocks
            self._has_main = True
            self._cpu, self._main_cpu, self._looked, self._executed = cpu, main_cpu, now, executed
            return
        elapsed, used = now - self._looked, max(0.0, cpu - self._cpu)
        main_used = max(0.0, main_cpu - self._main_cpu)
        if len(self._samples) < _MOST_SAMPLES:
            others = used - main_used > _LITTLE * elapsed
            self._add_main(
                frame, elapsed, used, main_used, _between(self._executed, executed), has_others=others
            )
            if others:
                with no_collection:
                    self._add_others()
        self._was_idle = used < _LITTLE * elapsed
        # Read anew: what the look itself took counts for nobody.
        self._cpu, self._main_cpu, self._looked, self._executed = (
            natives.process_cpu(),
            natives.thread_cpu(),
            natives.now(),
            self._instructions.read(),
        )

    def _add_main(
        self,
        frame: FrameType | None,
        elapsed: float,
        used: float,
        main_used: float,
        executed: int | None,
        *,
        has_others: bool,
    ) -> None:
        collected, self._collected = self._collected, 0.0
        stack = self._stack_of(frame)
        is_idle = frame is None or id(frame.f_code) in self._idle
        is_waiting = stack == self._last and main_used < 2 * _LITTLE * elapsed
        self._last = stack
        # At a chance moment it is here: all the time since the last look stands for this stack. Where it may have
        # rested meanwhile, no more than what it has used.
        weight = min(elapsed, main_used) if has_others or is_waiting or self._was_idle else elapsed
        if collected > 0:
            self._samples.append(
                (_milliseconds(), self._stack_of(frame, (COLLECTOR, 0)), collected, 0.0, None)
            )
            weight = max(0.0, weight - collected)
        number, stood_for = (-1, 0.0) if is_idle else (stack, weight)
        self._samples.append((_milliseconds(), number, stood_for, used, executed))

    def _add_others(self) -> None:
        now = _milliseconds()
        for thread, frame in natives.frames_of_threads().items():
            if thread == self._main:
                continue
            known = threading._active.get(thread)  # type: ignore[attr-defined] # without its lock
            if known is None or known.native_id is None:
                continue
            clock, before = self._clocks.get(known.native_id) or (ThreadClock(known.native_id), None)
            read = clock.read()
            if read is None:
                self._clocks.pop(known.native_id, None)
                continue
            if before is not None and frame.f_code.co_filename.endswith(IDLE_THREAD_FILES):
                continue  # what it used before it came to rest belongs to what is seen next
            self._clocks[known.native_id] = (clock, read)
            if before is not None and read > before:
                self._samples.append((now, self._stack_of(frame), read - before, 0.0, None))

    def _read_clocks(self) -> None:
        for native_id, (clock, _) in list(self._clocks.items()):
            read = clock.read()
            if read is None:
                del self._clocks[native_id]
            else:
                self._clocks[native_id] = (clock, read)

    def _stack_of(self, frame: FrameType | None, leaf: tuple[int, ...] = ()) -> int:
        """Its number. Two for each frame, the innermost first: its code, and where in it, if it is the user's."""
        is_own, key = self._is_own, list(leaf)
        for _ in range(_DEEPEST):
            if frame is None:
                break
            code = frame.f_code
            one = id(code)
            key.append(one)
            own = is_own.get(one)
            key.append(frame.f_lasti if (self._learn(code) if own is None else own) else 0)
            frame = frame.f_back
        stack = tuple(key)
        number = self._stacks.get(stack)
        if number is None:
            if len(self._stacks) >= _MOST_STACKS:
                return -1
            number = self._stacks[stack] = len(self._stacks)
        return number

    def _learn(self, code: CodeType) -> bool:
        self._codes[id(code)] = code
        own = self._places.name_of(code.co_filename) is not None
        self._is_own[id(code)] = own
        if not own and code.co_filename.endswith(IDLE_FILES):
            self._idle.add(id(code))
        return own


def _between(before: int | None, now: int | None) -> int | None:
    return None if before is None or now is None else max(0, now - before)


def _milliseconds() -> int:
    """Since 1970, as the generator counts."""
    return natives.epoch_ns() // 1_000_000
