"""The steps of a request's coroutines on the event loop, each timed."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import CoroutineType, coroutine
from typing import Any

from loadtest_probe import natives
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.request import Request, open_request
from loadtest_probe.settings import STALL_SECONDS


@coroutine
def stepped(running: Any, request: Request, watch: LoopWatch) -> Generator[Any, Any, Any]:
    """Awaits a coroutine, and times its every step: what it holds the loop for, whichever loop it is."""
    act, value = running.send, None
    while True:
        try:
            request.steps += 1
            awaited = _timed(act, value, request, watch)
        except StopIteration as end:
            return end.value
        finally:
            value = None  # an error that was thrown in must not be kept by its own traceback
        try:
            value = yield awaited
            act = running.send
        except GeneratorExit:
            running.close()
            raise
        except BaseException as error:
            act, value = running.throw, error


def _timed(act: Any, value: Any, request: Request, watch: LoopWatch) -> Any:
    now, is_clocked = natives.now, request.is_clocked
    watch.since = began = now()
    watch.request = request
    cpu = natives.thread_cpu() if is_clocked else 0.0
    try:
        return act(value)
    finally:
        wall = now() - began
        watch.request = value = None
        if request.is_open:
            request.held += wall
            if is_clocked:
                cpu = natives.thread_cpu() - cpu
                request.cpu += cpu
            if wall >= STALL_SECONDS:
                watch.stalled(request, began, wall, cpu if is_clocked else None)


class _TaskOfRequest(Coroutine[Any, Any, Any]):
    """Replaces the coroutine of a task that a request has made: `create_task`, a task group, `BaseHTTPMiddleware`."""

    def __init__(self, running: CoroutineType[Any, Any, Any], request: Request, watch: LoopWatch) -> None:
        self._running = running
        self._request = request
        self._watch = watch
        request.add_task(running)

    def send(self, value: Any) -> Any:
        return self._step(self._running.send, value)

    def throw(self, typ: Any, val: Any = None, tb: Any = None) -> Any:
        try:
            return self._step(self._running.throw, typ if val is None else val)
        finally:
            typ = val = None

    def _step(self, act: Any, value: Any) -> Any:
        request, watch = self._request, self._watch
        try:
            # One that begins within the step of another is a part of that.
            if not request.is_open or watch.request is not None:
                return act(value)
            return _timed(act, value, request, watch)
        except BaseException:
            request.remove_task(self._running)
            raise
        finally:
            value = None

    def close(self) -> None:
        self._running.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._running.__await__()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._running, name)  # its name, code and frame


def watch_tasks(watch: LoopWatch) -> None:
    """From now on the loop's tasks are made as before, but those of a request are timed."""
    create = watch.loop.create_task

    def create_task(coro: Any, **options: Any) -> Any:
        request = open_request()
        if request is not None and isinstance(coro, CoroutineType):
            coro = _TaskOfRequest(coro, request, watch)
        return create(coro, **options)

    watch.loop.create_task = create_task
