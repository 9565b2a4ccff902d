"""The probe of one process: asleep until the process turns out to be a server's worker."""

from typing import Any

from loadtest_probe import natives
from loadtest_probe.channel import Channel
from loadtest_probe.endpoints import Endpoints
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.places import Places
from loadtest_probe.pools import Connects, Pools
from loadtest_probe.queue_watch import QueueWatch
from loadtest_probe.sampler import Sampler
from loadtest_probe.settings import Settings, clean_environment
from loadtest_probe.statements import Statements


class Probe:
    """Everything that is known of this process. There is one, because there is one process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.places = Places(settings.app_folder)
        self.endpoints = Endpoints()
        self.threads = QueueWatch()
        self.thread_tokens: int | None = None
        self.pools = Pools()
        self.connects = Connects()
        self.statements = Statements(self.places, self.connects)
        self.sampler = Sampler(self.places, self.endpoints)
        self.server: dict[str, Any] = {
            "kind": "unknown",
            "worker": "unknown",
            "slots": None,
            "requestsPerConnection": None,
        }
        self.port: int | None = None
        self.unseen: dict[str, str] = {}
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

    def begin_window(self) -> None:
        """Forget what was counted so far."""
        self.endpoints.begin()
        self.threads.begin()
        self.pools.begin()
        self.connects.begin()
        self.sampler.loop_cpu = 0.0
        for watch in self.sampler.loops:
            watch.begin()

    def cannot_see(self, what: str, reason: object) -> None:
        """Said in the report, and nowhere else."""
        if len(self.unseen) < 50:
            text = reason if isinstance(reason, str) else f"{type(reason).__name__}: {reason}"
            self.unseen.setdefault(what, text[:300])

    def sleep_in_child(self) -> None:
        """What the app forks is not a worker, and has none of our threads."""
        self.is_awake = False
        self.channel = None
        self.sampler.loops = []
        self.sampler.running = {}
