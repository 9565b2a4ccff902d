"""Statements, pools and connections, through each driver."""

import os

import pytest

from tests.conftest import Serve
from tests.servers import Server, line_of

COMMAND = "uvicorn --log-level warning --port {port} databases:app"


@pytest.fixture
def server(serve: Serve) -> Server:
    if not os.environ.get("DATABASE_URL"):
        pytest.fail("set DATABASE_URL to a Postgres, it is not set")
    return serve(COMMAND)


@pytest.mark.parametrize(
    ("path", "text", "mark"),
    [
        ("/n-plus-one", "SELECT ?, ?", "# asks again"),
        ("/orm-n-plus-one", "SELECT ?", "# asks psycopg2 again"),
        ("/orm-async", "SELECT CAST(? AS int)", "# asks asyncpg again"),
    ],
)
def test_the_same_statement_again_and_again(server: Server, path: str, text: str, mark: str) -> None:
    seen = server.diagnose(path, users=2, requests=10)
    (statement,) = [each for each in seen.endpoint(path)["statements"] if each["text"] == text]
    assert (statement["count"], statement["requests"], statement["mostInOne"]) == (200, 20, 10)
    assert statement["place"]["line"] == line_of("databases.py", mark)


def test_statement_is_counted_once_in_all_layers(server: Server) -> None:
    seen = server.diagnose("/orm-psycopg", users=2, requests=10)
    (statement,) = [
        each for each in seen.endpoint("/orm-psycopg")["statements"] if "SELECT ?, ?" in each["text"]
    ]
    assert statement["count"] == 20
    assert statement["place"]["line"] == line_of("databases.py", "# asks psycopg once")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/small-pool", "psycopg_pool.AsyncConnectionPool"),
        ("/small-sync-pool", "psycopg_pool.ConnectionPool"),
        ("/small-engine", "sqlalchemy.QueuePool"),
        ("/asyncpg", "asyncpg.Pool"),
    ],
)
def test_pool_that_is_too_small(server: Server, path: str, kind: str) -> None:
    server.get(path)
    seen = server.diagnose(path, users=8, requests=5)
    pool = max(
        (each for each in seen.documents[0]["pools"] if each["kind"] == kind), key=lambda each: each["taken"]
    )
    assert (pool["most"], pool["mostInUse"]) == (2, 2)
    assert pool["made"]["file"] == "databases.py"
    assert "=" in pool["made"]["code"]
    assert pool["mostWaiting"] >= 4
    assert pool["taken"] == pool["returned"] == 40
    assert 20 < pool["useMs"] / 40 < 40
    parts = seen.endpoint(path)["partsMs"]
    assert parts["poolWait"] > 0.5 * parts["total"]
    assert parts["database"] > 40 * 20 * 0.95
    # What the pool can give at most is what came: size / time of use.
    assert seen.rate == pytest.approx(2 / (pool["useMs"] / 40 / 1000), rel=0.2)


@pytest.mark.parametrize(
    ("path", "mark"),
    [
        ("/unpooled", "# connects\n"),
        ("/psycopg2", "# connects each time"),
        ("/orm-unpooled", "# connects by the engine"),
    ],
)
def test_connection_of_each_requests_own(server: Server, path: str, mark: str) -> None:
    seen = server.diagnose(path, users=2, requests=10)
    made = seen.most(path, "made")
    assert (made["what"], made["count"], made["requests"]) == ("connection", 20, 20)
    assert made["place"]["code"].endswith(mark.strip())
    assert seen.documents[0]["connects"]["inRequests"] == 20
    assert seen.endpoint(path)["partsMs"]["connect"] > 0


def test_pool_of_each_requests_own(server: Server) -> None:
    seen = server.diagnose("/pool-per-request", users=2, requests=10)
    made = seen.most("/pool-per-request", "made")
    assert (made["what"], made["count"], made["requests"]) == ("connection", 20, 20)
    assert made["place"]["line"] == line_of("databases.py", "# makes a pool")
    parts = seen.endpoint("/pool-per-request")["partsMs"]
    assert parts["connect"] > parts["poolWait"] == 0


def test_cursor_of_psycopg2(server: Server) -> None:
    seen = server.diagnose("/psycopg2", users=2, requests=10)
    statements = seen.endpoint("/psycopg2")["statements"]
    assert [(each["text"], each["count"]) for each in statements] == [("SELECT ?", 20), ("SELECT ?", 20)]


def test_healthy_endpoint(server: Server) -> None:
    seen = server.diagnose("/healthy", users=2, requests=20)
    endpoint = seen.endpoint("/healthy")
    assert (endpoint["failures"], endpoint["made"]) == (0, [])
    assert sum(stall["totalMs"] for stall in endpoint["stalls"]) <= seen.lost_ms
    assert seen.documents[0]["unseen"] == []
