"""A connection on its way out of a pool and back: what the patches of all pools have in common.

Nothing that goes wrong here may reach the app, which only requested a connection.
"""

from __future__ import annotations

import functools
from typing import Any

from loadtest_probe import natives
from loadtest_probe.places import Place
from loadtest_probe.pools import PoolWatch, Sizes
from loadtest_probe.probe import Probe
from loadtest_probe.request import open_request


class PoolUse:
    """Made when a connection is requested."""

    def __init__(self, probe: Probe, pool: Any, kind: str, sizes: Sizes) -> None:
        self._probe = probe
        self._kind = kind
        self._watch: PoolWatch | None = None
        self._request = open_request()
        self._own: tuple[Place | None, float] | None = None
        self._connecting = 0.0
        if self._request is not None:
            self._connecting = self._request.connect_time
            if self._request.own_pools:
                self._own = self._request.own_pools.pop(
                    id(pool), None
                )  # its own thread connects, not the request
        self._asked = natives.now()
        try:
            if self._own is None:
                self._watch = probe.pools.watch(pool, kind, sizes)
                self._watch.ask()
        except Exception as error:
            probe.cannot_see(f"pools of {kind}", error)

    def took(self, connection: object) -> None:
        """It came; a connection that had to be made first was not waited for."""
        try:
            if self._own is not None and self._request is not None:
                place, began = self._own
                seconds = natives.now() - began
                self._request.connect_time += seconds
                self._request.add_made("connection", place, seconds)
            elif self._watch is not None:
                self._watch.took(self._asked, connection, self._connect_time() - self._connecting)
        except Exception as error:
            self._probe.cannot_see(f"pools of {self._kind}", error)

    def failed(self) -> None:
        if self._watch is not None:
            self._watch.give_up()

    def _connect_time(self) -> float:
        return self._request.connect_time if self._request is not None else 0.0


def gave_back(probe: Probe, pool: Any, kind: str, sizes: Sizes, connection: object) -> None:
    """Called before the pool gets it: afterwards another may have it."""
    try:
        probe.pools.watch(pool, kind, sizes).gave_back(connection)
    except Exception as error:
        probe.cannot_see(f"pools of {kind}", error)


def note_makers(probe: Probe, pool: Any) -> None:
    """Lines that make pools of this class. One that a request makes is no pool: nobody else gets its connections."""
    make = pool.__init__

    @functools.wraps(make)
    def make_watched(self: Any, *args: Any, **kwargs: Any) -> None:
        place = probe.places.caller()
        request = open_request()
        if request is not None and pool.__module__.startswith("psycopg_pool."):
            request.add_pool(self, place)
        probe.pools.made(self, place)
        make(self, *args, **kwargs)

    pool.__init__ = make_watched
