import pytest
from fastapi.testclient import TestClient

PATHS = ["/sync_select", "/async_select"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["", "?user_id=1"])
def test_finds_a_user(client: TestClient, path: str, query: str) -> None:
    reply = client.get(path + query)
    assert reply.status_code == 200
    assert reply.json() == {"rows": [[1, "user_1", "user_1@example.com", "2025-01-01T00:00:00+00:00"]]}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("user_id", [0, -1, 10_001, 2**63 - 1, -(2**63)])
def test_finds_nobody(client: TestClient, path: str, user_id: int) -> None:
    reply = client.get(path, params={"user_id": user_id})
    assert (reply.status_code, reply.json()) == (200, {"rows": []})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("user_id", [str(2**63), "one", "1.5", ""])
def test_refuses_what_is_no_id(client: TestClient, path: str, user_id: str) -> None:
    assert client.get(path, params={"user_id": user_id}).status_code == 422
