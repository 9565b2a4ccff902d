"""Tasks that a request makes run as they would anyway, and their time is the request's."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.request import Request, current_request
from loadtest_probe.steps import watch_tasks


class Broken(Exception):
    pass


def watched(use: Callable[[Request], Awaitable[Any]]) -> Request:
    """A request whose tasks are watched, after `use`."""
    request = Request()

    async def run() -> None:
        watch_tasks(LoopWatch(asyncio.get_running_loop(), "a loop"))
        current_request.set(request)
        await use(request)

    asyncio.run(run())
    return request


async def named() -> str:
    await asyncio.sleep(0)
    return "done"


def test_task_looks_as_before() -> None:
    async def use(_: Request) -> None:
        task = asyncio.create_task(named(), name="one")
        assert "name='one'" in repr(task)
        assert "named()" in repr(task)
        (frame,) = task.get_stack()
        assert frame.f_code is named.__code__
        assert await task == "done"

    assert watched(use).held > 0


def test_error_that_a_task_ends_with_is_kept_by_nobody() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise Broken

    kept: list[weakref.ref[BaseException]] = []

    async def use(_: Request) -> None:
        try:
            await asyncio.create_task(fail())
        except Broken as error:
            kept.append(weakref.ref(error))

    gc.disable()
    try:
        assert watched(use).tasks == []
        assert kept[0]() is None
    finally:
        gc.enable()


def test_task_that_is_cancelled() -> None:
    caught: list[str] = []

    async def wait() -> None:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            caught.append("cancelled")
            raise

    async def use(request: Request) -> None:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        assert request.tasks
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not request.tasks

    watched(use)
    assert caught == ["cancelled"]


def test_what_a_task_does_after_the_reply_is_not_the_requests() -> None:
    async def spin() -> None:
        await asyncio.sleep(0)
        sum(range(200_000))

    async def use(request: Request) -> None:
        task = asyncio.create_task(spin())
        await asyncio.sleep(0)
        request.is_open = False
        held = request.held
        await task
        assert request.held == held

    watched(use)


def test_factory_of_the_apps_own() -> None:
    made: list[object] = []

    def factory(loop: Any, coro: Any, **options: Any) -> Any:
        made.append(coro)
        return asyncio.Task(coro, loop=loop, **options)

    async def use(_: Request) -> None:
        asyncio.get_running_loop().set_task_factory(factory)
        assert await asyncio.create_task(named()) == "done"
        assert len(made) == 1

    assert watched(use).held > 0
