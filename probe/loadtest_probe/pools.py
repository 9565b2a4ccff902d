"""Connection pools, of whatever library."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from loadtest_probe import natives
from loadtest_probe.places import Place
from loadtest_probe.queue_watch import QueueWatch
from loadtest_probe.request import open_request

# What a pool says of itself: how many connections it keeps, the most it may have (0: no limit), how many it has.
Sizes = Callable[[Any], tuple[int, int, int]]


_MOST_POOLS = 50


class PoolWatch(QueueWatch):
    """One pool. When each connection was taken is kept by its identity: what the app holds is left as it is."""

    def __init__(self, kind: str, pool: Callable[[], Any], sizes: Sizes, made: Place | None) -> None:
        self.kind = kind
        self.made = made
        self._pool = pool
        self._sizes = sizes
        self._since: dict[int, float] = {}
        self._last_sizes = (0, 0, 0)
        super().__init__()

    def took(self, asked: float, connection: object, connect_seconds: float) -> None:
        waited = self.take(asked, other_seconds=connect_seconds)
        request = open_request()
        if request is not None:
            request.has_more = True
            request.pool_wait += waited
        self._since[id(connection)] = natives.now()

    def gave_back(self, connection: object) -> None:
        since = self._since.pop(id(connection), None)
        if since is not None:
            self.give_back(natives.now() - since)

    def sizes(self) -> tuple[int, int, int] | None:
        """`None` when the pool is gone. One that is being changed right now may not say: then what it said last."""
        pool = self._pool()
        if pool is None:
            return None
        with suppress(Exception):
            self._last_sizes = self._sizes(pool)
        return self._last_sizes


class Pools:
    """All pools of this process. A pool of a request's own may come and go, and must go as it would anyway."""

    def __init__(self) -> None:
        self._watches: dict[int, PoolWatch] = {}
        self._made: dict[int, Place | None] = {}

    def made(self, pool: object, place: Place | None) -> None:
        """The line that makes it. Identities may come again, so the last one counts."""
        if len(self._made) >= _MOST_POOLS:
            self._made.clear()
        self._made[id(pool)] = place

    def watch(self, pool: Any, kind: str, sizes: Sizes) -> PoolWatch:
        watch = self._watches.get(id(pool))
        if watch is None:
            if len(self._watches) >= _MOST_POOLS:
                self._watches.clear()
            watch = self._watches[id(pool)] = PoolWatch(
                kind, self._reference(pool), sizes, self._made.get(id(pool))
            )
        return watch

    def _reference(self, pool: Any) -> Callable[[], Any]:
        forget = self._watches.pop
        key = id(pool)
        try:
            return weakref.ref(pool, lambda _: forget(key, None))
        except TypeError:  # asyncpg's has no room for one; the app keeps it for as long as it runs
            return lambda: pool

    def all(self) -> list[PoolWatch]:
        return list(self._watches.values())

    def begin(self) -> None:
        for watch in self.all():
            watch.begin()


class Connects:
    """Connections that were made to databases, by pools or not."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.count = 0
        self.in_requests = 0
        self.total = 0.0
        self.failed = 0
        # Because the database had no more: SQLSTATE 53300.
        self.refused = 0

    def made(self, seconds: float, *, in_request: bool) -> None:
        self.count += 1
        self.in_requests += in_request
        self.total += seconds

    def failure(self, error: BaseException) -> None:
        self.failed += 1
        state = getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)
        text = str(error)
        if state == "53300" or "too many clients" in text or "remaining connection slots" in text:
            self.refused += 1
