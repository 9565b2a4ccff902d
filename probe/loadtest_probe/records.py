"""What is known of one process."""

from __future__ import annotations

from typing import Any

from loadtest_probe.collector import Collector
from loadtest_probe.endpoints import Endpoints
from loadtest_probe.memory import Memory
from loadtest_probe.places import Places
from loadtest_probe.pools import Connects, Pools
from loadtest_probe.queue_watch import QueueWatch
from loadtest_probe.sampler import Sampler
from loadtest_probe.settings import Settings
from loadtest_probe.statements import Statements


class Records:
    """Filled by whoever sees something, and read when the document is written."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.places = Places(settings.app_folder)
        self.endpoints = Endpoints()
        self.threads = QueueWatch()
        self.thread_tokens: int | None = None
        # Whose limit that is: AnyIO's, or that of the loop's own executor.
        self.thread_kind = "anyio"
        self.pools = Pools()
        self.connects = Connects()
        self.statements = Statements(self.places, self.connects)
        self.sampler = Sampler(self.places, self.endpoints)
        self.memory = Memory()
        self.collector = Collector(self.places)
        # Connections that were checked, and how many of them may hold small packets back.
        self.sockets = (0, 0)
        self.server: dict[str, Any] = {
            "worker": "unknown",
            "slots": None,
            "requestsPerConnection": None,
        }
        self.port: int | None = None
        self.unseen: dict[str, str] = {}

    def begin_window(self) -> None:
        """Forget what was counted so far."""
        self.endpoints.begin()
        self.threads.begin()
        self.pools.begin()
        self.connects.begin()
        self.memory.begin()
        self.collector.begin()
        self.sampler.begin()
        for watch in self.sampler.loops:
            watch.begin()

    def cannot_see(self, what: str, reason: object) -> None:
        """Said in the report, and nowhere else."""
        if len(self.unseen) < 50:
            text = reason if isinstance(reason, str) else f"{type(reason).__name__}: {reason}"
            self.unseen.setdefault(what, text[:300])
