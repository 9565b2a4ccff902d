import asyncio
import time

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.main import create_app

WAITS = {
    "/async_endpoint_async_processing": 1,
    "/sync_endpoint_sync_processing": 1,
    "/sync_endpoint_async_processing": 1,
    "/async_endpoint_sync_processing": 1,
    "/sync_endpoint_mix_processing": 2,
    "/async_endpoint_mix_processing": 2,
}


@pytest.mark.parametrize(("path", "waits"), WAITS.items())
def test_waits_at_least_as_long_as_asked(client: TestClient, path: str, waits: int) -> None:
    started = time.monotonic()
    reply = client.get(path, params={"ms": 20})
    waited_seconds = time.monotonic() - started
    assert (reply.status_code, reply.json()) == (200, {"wait_ms": 20})
    # A timer may fire within its resolution before its time.
    assert waited_seconds > waits * 0.019


@pytest.mark.parametrize("path", WAITS)
def test_waits_as_long_as_published_by_default(client: TestClient, path: str) -> None:
    [parameter] = client.get("/openapi.json").json()["paths"][path]["get"]["parameters"]
    assert parameter["schema"]["default"] == (500 if "mix" in path else 1000)


@pytest.mark.parametrize("path", WAITS)
@pytest.mark.parametrize("ms", ["-1", "60001", "1.5", "long", ""])
def test_refuses_other_waits(client: TestClient, path: str, ms: str) -> None:
    reply = client.get(path, params={"ms": ms})
    assert reply.status_code == 422
    assert reply.json()["detail"][0]["loc"] == ["query", "ms"]


@pytest.mark.parametrize("path", WAITS)
def test_may_not_wait_at_all(client: TestClient, path: str) -> None:
    assert client.get(path, params={"ms": 0}).json() == {"wait_ms": 0}


def test_a_request_takes_a_thread_only_once() -> None:
    """Were it to take one for its reply too, the first 40 of 120 requests would wait for all others."""
    waited_seconds = asyncio.run(ask_at_once(create_app(), "/sync_endpoint_sync_processing?ms=100", 120))
    assert waited_seconds[-1] > 0.29
    # Two waves of 100 ms come after the first, of which a busy loop may learn late.
    assert waited_seconds[-1] - waited_seconds[0] > 0.05


async def ask_at_once(app: FastAPI, path: str, times: int) -> list[float]:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:

        async def ask() -> float:
            started = time.monotonic()
            await client.get(path)
            return time.monotonic() - started

        return sorted(await asyncio.gather(*(ask() for _ in range(times))))
