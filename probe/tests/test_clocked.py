"""The CPU's clock is read for some of many requests, which stand for all."""

import asyncio

import pytest

from loadtest_probe import natives
from loadtest_probe.endpoints import Endpoint
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.places import Place
from loadtest_probe.request import Request
from loadtest_probe.settings import CLOCKED_A_SECOND
from tests.conftest import Serve

COMMAND = "uvicorn --log-level warning --port {port} loops:app"


def test_all_while_there_are_few_and_some_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(natives, "now", lambda: clock[0])

    async def enter() -> None:
        watch = LoopWatch(asyncio.get_running_loop(), "a loop")
        for rate, least, most in ((CLOCKED_A_SECOND / 2, 1.0, 1.0), (CLOCKED_A_SECOND * 10, 0.06, 0.14)):
            request = Request()
            for _ in range(int(rate)):
                watch.enter(request)
            clock[0] += 1
            for _ in range(10):
                watch.beat(0.0)
            clocked = sum(watch.enter(request) for _ in range(2_000))
            assert least <= clocked / 2_000 <= most
            clock[0] += 1_000
            for _ in range(10):
                watch.beat(0.0)

    asyncio.run(enter())


def test_what_the_clocked_ones_say_of_all() -> None:
    endpoint = Endpoint()
    assert endpoint.cpu() == 0.0
    for number in range(40):
        request = Request()
        request.ended = request.started + 2
        request.steps, request.held = 1, 1.0
        if number % 4 == 0:
            request.is_clocked, request.cpu = True, 0.5
        endpoint.add(request)
    assert (endpoint.requests, endpoint.clocked, endpoint.steps, endpoint.held) == (40, 10, 40, 40)
    assert endpoint.cpu() == 20


@pytest.mark.parametrize(
    ("seen", "cpu"),
    [
        ([], 0.0),
        ([(0.090, 0.010), (0.009, 0.010), (0.005, 0.010)], 0.035),
        ([(0.090, 0.010)], 0.050),
        ([(0.0, 0.010)], 0.0),
    ],
)
def test_stall_without_a_clock(seen: list[tuple[float, float]], cpu: float) -> None:
    async def stall() -> None:
        watch = LoopWatch(asyncio.get_running_loop(), "a loop")
        request = watch.request = Request()
        watch.since = 7.0
        place = Place("app.py", 3, "work")
        for sampled, seconds in seen:
            watch.sampled(place, sampled, seconds)
        watch.stalled(request, 7.0, 0.050, None)
        assert request.stalls is not None
        (where, amount) = next(iter(request.stalls.items()))
        assert where == (place if seen else None)
        assert amount.total == pytest.approx(0.050)
        assert amount.cpu == pytest.approx(cpu)

    asyncio.run(stall())


def test_counts_are_exact_however_many_are_timed(serve: Serve) -> None:
    seen = serve(COMMAND).diagnose("/plain", users=8, requests=500)
    endpoint = seen.endpoint("/plain")
    assert (endpoint["requests"], endpoint["failures"]) == (4_000, 0)
    assert 0 < endpoint["partsMs"]["cpu"] < endpoint["partsMs"]["total"] * 1.2
