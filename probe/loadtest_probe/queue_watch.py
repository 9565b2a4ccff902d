"""Something that there are only so many of, which is taken, used and given back: threads, pooled connections."""

from loadtest_probe import natives


class QueueWatch:
    """Times are in seconds. Counts may be off by one where two threads meet; the sums are what matters."""

    def __init__(self) -> None:
        self.waiting = 0
        self.in_use = 0
        self.begin()

    def begin(self) -> None:
        self.taken = 0
        self.errors = 0
        self.wait_total = 0.0
        self.wait_longest = 0.0
        self.returned = 0
        self.use_total = 0.0
        self.most_waiting = self.waiting
        self.most_in_use = self.in_use

    def ask(self) -> float:
        """When the waiting began; goes to `take` or `give_up`."""
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        return natives.now()

    def take(self, asked: float, *, other_seconds: float = 0.0) -> float:
        """How long it was waited for, without what was spent on something else meanwhile."""
        seconds = max(0.0, natives.now() - asked - other_seconds)
        self.waiting -= 1
        self.in_use += 1
        self.most_in_use = max(self.most_in_use, self.in_use)
        self.taken += 1
        self.wait_total += seconds
        self.wait_longest = max(self.wait_longest, seconds)
        return seconds

    def give_up(self) -> None:
        self.waiting -= 1
        self.errors += 1

    def give_back(self, seconds: float) -> None:
        self.in_use -= 1
        self.returned += 1
        self.use_total += seconds
