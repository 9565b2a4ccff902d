import time

import pytest
from fastapi.testclient import TestClient

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
