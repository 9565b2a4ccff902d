"""Requests added up by endpoint."""

from __future__ import annotations

import math
from typing import TypeVar

from loadtest_probe import natives
from loadtest_probe.places import Place
from loadtest_probe.request import Amount, Key, Request, amount_of
from loadtest_probe.settings import MOST_ENDPOINTS, MOST_OF_A_KIND

OTHER = ("", "(other)")

_K = TypeVar("_K")


class Endpoint:
    """All finished requests of one method and route. Times are in seconds."""

    def __init__(self) -> None:
        self.kind = "unknown"  # of the function that answers: async or sync
        self.handler: Place | None = None
        self.requests = 0
        self.failures = 0
        self.total = 0.0
        self.longest = 0.0
        self.held = 0.0
        # Those at whose steps the CPU's clock was read: how many, what they held the loop for, and their CPU time.
        self.clocked = 0
        self.clocked_held = 0.0
        self.clocked_cpu = 0.0
        self.thread_wait = 0.0
        self.thread_time = 0.0
        self.thread_cpu = 0.0
        self.pool_wait = 0.0
        self.connect_time = 0.0
        self.database_time = 0.0
        self.steps = 0
        self.stalls: dict[Place | None, Amount] = {}
        self.on_loop: dict[Place | None, Amount] = {}
        self.spent: dict[Place, float] = {}
        self.waited: dict[Place, float] = {}
        self.statements: dict[Key, Amount] = {}
        self.made: dict[Key, Amount] = {}

    def add(self, request: Request) -> None:
        total = request.ended - request.started
        self.requests += 1
        self.total += total
        if request.failed:
            self.failures += 1
        if total > self.longest:
            self.longest = total
        self.steps += request.steps
        self.held += request.held
        if request.is_clocked:
            self.clocked += 1
            self.clocked_held += request.held
            self.clocked_cpu += request.cpu
        if request.has_more:
            self._add_more(request)

    def _add_more(self, request: Request) -> None:
        if request.thread_time or request.thread_wait:
            self.thread_wait += request.thread_wait
            self.thread_time += request.thread_time
            self.thread_cpu += request.thread_cpu
        self.pool_wait += request.pool_wait
        self.connect_time += request.connect_time
        self.database_time += request.database_time
        if request.on_loop:
            _merge(self.on_loop, request.on_loop)
        if request.spent:
            _add(self.spent, request.spent)
        if request.waited:
            _add(self.waited, request.waited)
        if request.stalls:
            _merge(self.stalls, request.stalls)
        if request.statements:
            _merge(self.statements, request.statements)
        if request.made:
            _merge(self.made, request.made)

    def cpu(self) -> float:
        """CPU time of all while they held the loop: the share that those had whose clock was read."""
        return self.held * self.clocked_cpu / self.clocked_held if self.clocked_held > 0 else 0.0


def _add(into: dict[Place, float], one: dict[Place, float]) -> None:
    for place, seconds in list(one.items()):  # the sampler may be adding to it
        if place in into or len(into) < MOST_OF_A_KIND:
            into[place] = into.get(place, 0.0) + seconds


def _add_amount(into: dict[_K, Amount], key: _K, seconds: float, cpu: float) -> None:
    if key in into or len(into) < MOST_OF_A_KIND:
        amount_of(into, key).add(seconds, cpu)


def _merge(into: dict[_K, Amount], one: dict[_K, Amount]) -> None:
    for key, amount in list(one.items()):
        if key in into or len(into) < MOST_OF_A_KIND:
            amount_of(into, key).merge(amount)


class Endpoints:
    """Everything counted since the window began; starts anew with each window."""

    def __init__(self) -> None:
        self._lock = natives.make_lock()
        self.begin()

    def begin(self) -> None:
        with self._lock:
            self.began = natives.now()
            self.cpu_began = natives.process_cpu()
            self.first, self.last = math.inf, 0.0  # when the first request began and the last one ended
            self.endpoints: dict[tuple[str, str], Endpoint] = {}
            self.clients: set[object] = set()
            self.outside_stalls: dict[Place | None, Amount] = {}
            self.outside_on_loop: dict[Place | None, Amount] = {}

    def add(
        self, key: tuple[str, str], request: Request, client: object, kind: str, handler: Place | None
    ) -> None:
        """A request that was answered. One that began before the window does not count."""
        with self._lock:
            if request.started < self.began:
                return
            if request.started < self.first:
                self.first = request.started
            if request.ended > self.last:
                self.last = request.ended
            endpoint = self.endpoints.get(key)
            if endpoint is None:
                if len(self.endpoints) >= MOST_ENDPOINTS:
                    key, kind, handler = OTHER, "unknown", None
                endpoint = self.endpoints.setdefault(key, Endpoint())
            endpoint.kind = kind
            endpoint.handler = handler
            endpoint.add(request)
            if len(self.clients) < 100_000:
                self.clients.add(client)

    def add_outside_stall(self, place: Place | None, seconds: float, cpu: float) -> None:
        with self._lock:
            _add_amount(self.outside_stalls, place, seconds, cpu)

    def add_outside_on_loop(self, place: Place | None, seconds: float, cpu: float) -> None:
        with self._lock:
            _add_amount(self.outside_on_loop, place, seconds, cpu)

    def snapshot(self) -> EndpointsSnapshot:
        """What may be read without the lock afterwards."""
        with self._lock:
            return EndpointsSnapshot(self)


class EndpointsSnapshot:
    """A frozen copy: rendering takes its time, and requests must not wait for it."""

    def __init__(self, live: Endpoints) -> None:
        self.seconds = natives.now() - live.began
        self.busy_seconds = max(0.0, live.last - live.first)
        self.cpu_seconds = natives.process_cpu() - live.cpu_began
        self.connections = len(live.clients)
        self.outside_stalls = _copied(live.outside_stalls)
        self.outside_on_loop = _copied(live.outside_on_loop)
        self.endpoints: dict[tuple[str, str], Endpoint] = {}
        for key, endpoint in live.endpoints.items():
            copy = Endpoint()
            copy.__dict__.update(endpoint.__dict__)
            copy.stalls = _copied(endpoint.stalls)
            copy.on_loop = _copied(endpoint.on_loop)
            copy.spent = dict(endpoint.spent)
            copy.waited = dict(endpoint.waited)
            copy.statements = _copied(endpoint.statements)
            copy.made = _copied(endpoint.made)
            self.endpoints[key] = copy


def _copied(amounts: dict[_K, Amount]) -> dict[_K, Amount]:
    copies: dict[_K, Amount] = {}
    for key, amount in amounts.items():
        copy = copies[key] = Amount()
        for name in Amount.__slots__:
            setattr(copy, name, getattr(amount, name))
    return copies
