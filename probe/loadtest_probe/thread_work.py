"""A function on its way through a worker thread."""

from __future__ import annotations

from typing import Any

from loadtest_probe import natives
from loadtest_probe.probe import Probe
from loadtest_probe.queue_watch import QueueWatch
from loadtest_probe.request import open_request


class ThreadWork:
    """Replaces the function. Waits until a thread takes it; meanwhile and after, its request is notified."""

    def __init__(self, probe: Probe, function: Any, queue: QueueWatch | None) -> None:
        self._probe = probe
        self._function = function
        self._queue = queue
        self._request = open_request()
        self._has_begun = False
        self._asked = queue.ask() if queue is not None else natives.now()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._has_begun = True
        queue, request = self._queue, self._request
        waited = queue.take(self._asked) if queue is not None else natives.now() - self._asked
        if request is None:
            return self._run(args, kwargs)
        request.has_more = True
        request.thread_wait += waited
        running = self._probe.sampler.running
        thread = natives.thread_id()
        outer = running.get(thread)
        running[thread] = request
        cpu = natives.thread_cpu()
        began = natives.now()
        try:
            return self._run(args, kwargs)
        finally:
            request.thread_time += natives.now() - began
            request.thread_cpu += natives.thread_cpu() - cpu
            if outer is None:
                running.pop(thread, None)
            else:
                running[thread] = outer

    def _run(self, args: Any, kwargs: Any) -> Any:
        began = natives.now()
        try:
            return self._function(*args, **kwargs)
        finally:
            if self._queue is not None:
                self._queue.give_back(natives.now() - began)

    def leave(self) -> None:
        """The caller waits no longer; it may have been cancelled before a thread was free."""
        if not self._has_begun and self._queue is not None:
            self._has_begun = True
            self._queue.give_up()
