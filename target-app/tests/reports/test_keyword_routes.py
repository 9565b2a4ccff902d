import asyncio
import time

import httpx2
import pytest

from reports.keyword_routes import app

GREETINGS = ["/sync", "/async"]
WAITS = ["/sync-blocking", "/async-blocking", "/async-await", "/async-threadpool-mix"]


async def ask(*paths: str) -> list[httpx2.Response]:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        return await asyncio.gather(*(client.get(path) for path in paths))


@pytest.mark.parametrize("path", [*GREETINGS, *(f"{path}?seconds=0" for path in WAITS)])
def test_greets(path: str) -> None:
    [reply] = asyncio.run(ask(path))
    assert (reply.status_code, reply.json()) == (200, {"message": "Hello World"})


@pytest.mark.parametrize("path", WAITS)
def test_only_the_blocking_coroutine_makes_others_wait(path: str) -> None:
    started = time.monotonic()
    asyncio.run(ask(*[f"{path}?seconds=0.05"] * 4))
    waited_seconds = time.monotonic() - started
    # Each request waits twice, so four in turn take 0.4 s and four at once 0.1 s.
    assert (waited_seconds > 0.39) == (path == "/async-blocking")
    assert waited_seconds > 0.095


def test_a_request_takes_a_thread_only_once() -> None:
    replied_at: list[float] = []

    async def ask_and_note(path: str) -> None:
        await ask(path)
        replied_at.append(time.monotonic())

    async def ask_all() -> None:
        await asyncio.gather(*(ask_and_note("/sync-blocking?seconds=0.05") for _ in range(120)))

    asyncio.run(ask_all())
    # 40 threads: three rounds of 0.1 s. With a thread for each wait the first reply came in the fourth of six
    # rounds of 0.05 s, so 0.1 s before the last.
    assert replied_at[-1] - replied_at[0] > 0.15


@pytest.mark.parametrize("path", WAITS)
def test_waits_as_long_as_published_by_default(path: str) -> None:
    [parameter] = app.openapi()["paths"][path]["get"]["parameters"]
    assert parameter["schema"]["default"] == 3


@pytest.mark.parametrize("path", WAITS)
@pytest.mark.parametrize("seconds", ["-1", "61", "long"])
def test_refuses_other_waits(path: str, seconds: str) -> None:
    [reply] = asyncio.run(ask(f"{path}?seconds={seconds}"))
    assert reply.status_code == 422
