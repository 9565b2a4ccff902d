from fastapi.testclient import TestClient
from lending.models import Tool

Headers = dict[str, str]


def test_nobody_sees_tools_without_a_card(client: TestClient) -> None:
    assert client.get("/tools", params={"of": "saw"}).status_code == 422


def test_a_member_finds_tools(client: TestClient, known: Headers, saw: Tool) -> None:
    assert client.get("/tools", params={"of": "saw"}, headers=known).json() == ["Ada's saw"]


def test_a_member_sees_a_tool(client: TestClient, known: Headers, saw: Tool) -> None:
    assert client.get(f"/tools/{saw.id}", headers=known).json() == {"name": "Ada's saw"}


def test_there_is_no_other_tool(client: TestClient, known: Headers) -> None:
    assert client.get("/tools/4711", headers=known).status_code == 404


def test_a_member_lends_a_tool(client: TestClient, known: Headers) -> None:
    assert client.post("/tools", json={"name": "hammer"}, headers=known).status_code == 201


def test_a_member_renames_a_tool(client: TestClient, known: Headers, saw: Tool) -> None:
    assert client.put(f"/tools/{saw.id}", json={"name": "small saw"}, headers=known).status_code == 200


def test_a_member_takes_a_tool_back(client: TestClient, known: Headers, saw: Tool) -> None:
    assert client.delete(f"/tools/{saw.id}", headers=known).status_code == 204
