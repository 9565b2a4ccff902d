"""The thread that looks at the others goes on, whatever it meets."""

import threading
from collections.abc import Callable

import pytest

from loadtest_probe.endpoints import Endpoints
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.places import Places
from loadtest_probe.sampler import Sampler


@pytest.fixture
def sampler() -> Sampler:
    return Sampler(Places("/nowhere"), Endpoints())


def rounds(count: int) -> Callable[[], bool]:
    left = iter(range(count))
    return lambda: next(left, None) is not None


def test_look_that_is_spoilt_is_not_the_last(sampler: Sampler, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def spoil() -> None:
        looks.append(1)
        raise RuntimeError("dictionary changed size during iteration")

    monkeypatch.setattr(sampler, "look", spoil)
    written = []
    sampler.run(rounds(3), lambda: written.append(1))
    assert (len(looks), len(written)) == (3, 3)


def test_clock_of_a_thread_that_has_ended_says_nothing_of_the_others(sampler: Sampler) -> None:
    knows = sampler.has_clocks
    ended = threading.Thread(target=lambda: None)
    ended.start()
    system_thread = ended.native_id
    ended.join()
    assert system_thread is not None
    watch = LoopWatch(None, "a loop")
    watch.system_thread = system_thread
    sampler.loops.append(watch)
    sampler.look()
    assert sampler.has_clocks == knows
