"""What is known of one request while it is under way."""

from contextvars import ContextVar
from typing import Any, Optional, TypeVar

from loadtest_probe import natives
from loadtest_probe.places import Place


class Amount:
    """How often something was done at a place, and how long it took."""

    __slots__ = ("count", "cpu", "longest", "most", "requests", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.longest = 0.0
        self.cpu = 0.0
        # Filled when requests are added up: how many did it, and the most that one did.
        self.requests = 0
        self.most = 0

    def add(self, seconds: float, cpu: float = 0.0) -> None:
        self.count += 1
        self.total += seconds
        self.cpu += cpu
        if seconds > self.longest:
            self.longest = seconds

    def merge(self, one: "Amount") -> None:
        """Add what one request did."""
        self.count += one.count
        self.total += one.total
        self.cpu += one.cpu
        self.longest = max(self.longest, one.longest)
        self.requests += 1
        self.most = max(self.most, one.count)


# What an amount belongs to: a statement or a thing made, and the line that did it.
Key = tuple[str, Optional[Place]]


class Request:
    """Times are in seconds. Most requests are answered without anything worth a note: what is not set is the class's,
    so that making one costs next to nothing."""

    ended = 0.0
    is_open = True
    # True if there is more to add up than what every request has.
    has_more = False
    failed = False
    # True if the CPU's clock is read at its steps; with many requests only at some.
    is_clocked = False
    steps = 0
    # The event loop; `cpu` of it on the CPU.
    held = 0.0
    cpu = 0.0
    thread_wait = 0.0
    thread_time = 0.0
    thread_cpu = 0.0
    pool_wait = 0.0
    connect_time = 0.0
    database_time = 0.0
    stalls: "dict[Place | None, Amount] | None" = None
    # Where its steps were seen on the loop, however short they are; others' code that no line of the user's called is
    # `None`.
    on_loop: "dict[Place | None, Amount] | None" = None
    # In worker threads, waiting or not.
    spent: "dict[Place, float] | None" = None
    # Where it waited on the loop for something else.
    waited: "dict[Place, float] | None" = None
    # What runs it, while it runs, and in its other tasks.
    coroutine: Any = None
    tasks: "list[Any] | None" = None
    statements: "dict[Key, Amount] | None" = None
    made: "dict[Key, Amount] | None" = None
    # Pools that it made for itself: where and when.
    own_pools: "dict[int, tuple[Place | None, float]] | None" = None

    def __init__(self) -> None:
        self.started = natives.now()

    def add_stall(self, place: "Place | None", seconds: float, cpu: float) -> None:
        amount_of(self._own("stalls"), place).add(seconds, cpu)

    def add_on_loop(self, place: "Place | None", seconds: float, cpu: float) -> None:
        amount_of(self._own("on_loop"), place).add(seconds, cpu)

    def add_spent(self, place: Place, seconds: float) -> None:
        spent = self._own("spent")
        spent[place] = spent.get(place, 0.0) + seconds

    def add_waited(self, place: Place, seconds: float) -> None:
        waited = self._own("waited")
        waited[place] = waited.get(place, 0.0) + seconds

    def add_task(self, running: Any) -> None:
        if self.tasks is None:
            self.tasks = []
        self.tasks.append(running)

    def remove_task(self, running: Any) -> None:
        if self.tasks is not None and running in self.tasks:
            self.tasks.remove(running)

    def add_pool(self, pool: object, place: "Place | None") -> None:
        self._own("own_pools")[id(pool)] = (place, natives.now())

    def add_statement(self, text: str, place: "Place | None", seconds: float) -> None:
        self.database_time += seconds
        amount_of(self._own("statements"), (text, place)).add(seconds)

    def add_made(self, what: str, place: "Place | None", seconds: float) -> None:
        amount_of(self._own("made"), (what, place)).add(seconds)

    def _own(self, name: str) -> "dict[Any, Any]":
        """Made at the first use; two threads that come at once get the same one."""
        self.has_more = True
        own: dict[Any, Any] = self.__dict__.setdefault(name, {})
        return own


_K = TypeVar("_K")


def amount_of(amounts: dict[_K, Amount], key: _K) -> Amount:
    """The amount of a key, new if need be."""
    amount = amounts.get(key)
    if amount is None:
        amount = amounts[key] = Amount()
    return amount


# The request that the running code works for. Tasks and worker threads inherit it.
current_request: "ContextVar[Request | None]" = ContextVar("loadtest_probe_request", default=None)


def open_request() -> "Request | None":
    """The request that the running code works for, unless it was answered already."""
    request = current_request.get()
    return request if request is not None and request.is_open else None
