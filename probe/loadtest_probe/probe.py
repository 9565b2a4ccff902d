"""The probe of one process: asleep until the process turns out to be a server's worker."""

from __future__ import annotations

from typing import Any

from loadtest_probe import natives
from loadtest_probe.channel import Channel
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.records import Records
from loadtest_probe.settings import Settings, clean_environment
from loadtest_probe.steps import watch_tasks


class Probe(Records):
    """There is one, because there is one process."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.is_awake = False
        self.channel: Channel | None = None

    def wake(self, **server: Any) -> None:
        """This process is a worker that serves the app: watch it. Further calls only add what they know."""
        self.server.update(server)
        clean_environment()
        if self.is_awake:
            return
        self.is_awake = True
        self.channel = Channel(self)
        self.collector.watch()
        natives.start_thread(self._watch, (self.channel,))

    def _watch(self, channel: Channel) -> None:
        try:
            self.sampler.run(lambda: self.is_awake, channel.every_round)
        except Exception as error:
            self.cannot_see("stacks", error)
            channel.write()

    def watch_loop(self, loop: Any) -> None:
        """Called in the loop's own thread."""
        if not self.is_awake or any(watch.loop is loop for watch in self.sampler.loops):
            return
        kind = type(loop)
        watch = LoopWatch(loop, f"{kind.__module__}.{kind.__qualname__}")
        self.sampler.loops.append(watch)
        try:
            watch.start_beating()
        except Exception as error:
            # A loop that the app has changed; the requests on it are seen all the same.
            self.cannot_see("lateness of the event loop", error)
        try:
            watch_tasks(watch)
        except Exception as error:
            self.cannot_see("time of tasks that requests start", error)

    def sleep_in_child(self) -> None:
        """What the app forks is not a worker, and has none of our threads."""
        self.is_awake = False
        self.channel = None
        self.collector.leave()
        self.sampler.loops = []
        self.sampler.running = {}
