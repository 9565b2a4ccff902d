"""Where requests wait, seen from the coroutines that stand still."""

import asyncio
import inspect
from pathlib import Path

import pytest

from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.places import Places
from loadtest_probe.request import Request
from loadtest_probe.waits import look_at_waits, waiting_place
from tests.conftest import Serve
from tests.servers import line_of

PLACES = Places(str(Path(__file__).parents[1]))
COMMAND = "uvicorn --log-level warning --port {port} loops:app"


async def wait() -> None:
    await asyncio.sleep(10)  # stands here


async def call_below() -> None:
    await wait()


def test_innermost_line_that_waits() -> None:
    async def look() -> None:
        below = call_below()
        task = asyncio.ensure_future(below)
        await asyncio.sleep(0)
        line = inspect.getsourcelines(wait)[1] + 1
        assert waiting_place(below, PLACES) == ("tests/test_waits.py", line, "wait")
        assert waiting_place(own, PLACES) is None  # it runs
        task.cancel()

    own = look()
    asyncio.run(own)


def test_nothing_to_tell_of_what_is_over() -> None:
    coroutine = call_below()
    coroutine.close()
    assert waiting_place(coroutine, PLACES) is None


@pytest.mark.parametrize("count", [1, 20, 50])
def test_some_stand_for_all(count: int) -> None:
    async def look() -> None:
        watch = LoopWatch(asyncio.get_running_loop(), "a loop")
        tasks = []
        for _ in range(count):
            request = Request()
            request.coroutine = wait()
            watch.enter(request)
            tasks.append(asyncio.ensure_future(request.coroutine))
        await asyncio.sleep(0)
        look_at_waits(watch, PLACES, 0.5)
        looked_at = [each for each in watch.open if each.waited]
        assert len(looked_at) <= 20
        assert sum(sum((each.waited or {}).values()) for each in looked_at) == pytest.approx(0.5 * count)
        for task in tasks:
            task.cancel()

    asyncio.run(look())


def test_line_at_which_requests_wait(serve: Serve) -> None:
    waited = serve(COMMAND).diagnose("/fine", users=4, requests=20).endpoint("/fine")["waited"]
    assert waited[0]["place"]["line"] == line_of("loops.py", "await asyncio.sleep(0.02)")
    assert 0.5 < waited[0]["totalMs"] / (80 * 20) < 1.5
