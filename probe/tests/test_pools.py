"""Pools of every make, also those that make it hard."""

import gc
from typing import Any

import pytest

from loadtest_probe.pool_use import PoolUse, gave_back
from loadtest_probe.probe import Probe
from loadtest_probe.request import Request, current_request
from loadtest_probe.settings import Settings


class Plain:
    """As most classes are."""


class Slotted:
    """Cannot be referred to weakly."""

    __slots__ = ()


def two(_: Any) -> tuple[int, int, int]:
    return 2, 2, 1


def never(_: Any) -> tuple[int, int, int]:
    raise RuntimeError("not now")


@pytest.fixture
def probe() -> Probe:
    return Probe(Settings("/nowhere", "/nowhere"))


@pytest.mark.parametrize("pool", [Plain(), Slotted()])
def test_connection_that_is_taken_and_given_back(probe: Probe, pool: object) -> None:
    request = Request()
    token = current_request.set(request)
    try:
        use = PoolUse(probe, pool, "a", two)
        request.connect_time += 100  # meanwhile; not waited for
        connection = object()
        use.took(connection)
        gave_back(probe, pool, "a", two, connection)
        PoolUse(probe, pool, "a", two).failed()
    finally:
        current_request.reset(token)
    (watch,) = probe.pools.all()
    assert (watch.taken, watch.returned, watch.errors, watch.most_in_use, watch.most_waiting) == (
        1,
        1,
        1,
        1,
        1,
    )
    assert (watch.waiting, watch.in_use) == (0, 0)
    assert (request.pool_wait, watch.sizes()) == (0, (2, 2, 1))
    assert probe.unseen == {}


def test_pool_that_goes_is_let_go(probe: Probe) -> None:
    pool = Plain()
    PoolUse(probe, pool, "a", two).took(object())
    del pool
    gc.collect()
    assert probe.pools.all() == []


def test_what_goes_wrong_is_said_and_not_raised(probe: Probe, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Plain()
    assert probe.pools.watch(pool, "a", never).sizes() == (0, 0, 0)

    def refuse(*_: object) -> None:
        raise TypeError("a pool of another form")

    monkeypatch.setattr(probe.pools, "watch", refuse)
    use = PoolUse(probe, pool, "a", two)
    use.took(object())
    use.failed()
    gave_back(probe, pool, "a", two, object())
    assert probe.unseen == {"pools of a": "TypeError: a pool of another form"}
