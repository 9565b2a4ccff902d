import time

import pytest
from fastapi.testclient import TestClient

from reports.waits import app

# How many of the three waits come one after the other.
PATHS = {
    "/sync_baseline": 3,
    "/async_independent": 3,
    "/async_dependent": 3,
    "/async_concurrent": 1,
    "/async_as_completed": 1,
}

client = TestClient(app)


@pytest.mark.parametrize("path", PATHS)
def test_names_all_results(path: str) -> None:
    reply = client.get(path, params={"seconds": 0})
    assert reply.status_code == 200
    names = reply.json()["message"].split(", ")
    if path == "/async_as_completed":
        names.sort()
    assert names == ["first", "second", "third"]


@pytest.mark.parametrize(("path", "in_turn"), PATHS.items())
def test_waits_in_turn_or_at_once(path: str, in_turn: int) -> None:
    started = time.monotonic()
    client.get(path, params={"seconds": 0.1})
    waited_seconds = time.monotonic() - started
    # A timer may fire within its resolution before its time.
    assert in_turn * 0.1 - 0.003 < waited_seconds < in_turn * 0.1 + 0.15


@pytest.mark.parametrize("path", PATHS)
def test_waits_as_long_as_published_by_default(path: str) -> None:
    [parameter] = client.get("/openapi.json").json()["paths"][path]["get"]["parameters"]
    assert parameter["schema"]["default"] == 5


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seconds", ["-1", "61", "nan", "long", ""])
def test_refuses_other_waits(path: str, seconds: str) -> None:
    assert client.get(path, params={"seconds": seconds}).status_code == 422
