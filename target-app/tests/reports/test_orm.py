"""Each half of the ORM pair on a real database; what one does, the other does too."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, create_engine

from reports.parts.orm import (
    OrmSettings,
    PoolChoice,
    Style,
    create_table,
    driver_url,
    metadata,
    pool_options,
    users,
)

STYLES: list[Style] = ["sync", "async"]

StartApp = Callable[..., TestClient]


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> Style:
    chosen: Style = request.param
    return chosen


@pytest.fixture
def start(style: Style) -> Iterator[StartApp]:
    # Imported here, because the import makes the app that is served from DATABASE_URL.
    from reports import orm_async, orm_sync

    create_app = {"sync": orm_sync.create_app, "async": orm_async.create_app}[style]
    with ExitStack() as stack:

        def start(url: str, **changes: object) -> TestClient:
            settings = settings_of(url, **{"orm_echo": False, **changes})
            app: FastAPI = create_app(settings)
            return stack.enter_context(TestClient(app))

        yield start


def settings_of(url: str, **changes: object) -> OrmSettings:
    return OrmSettings.model_validate({"database_url": url, **changes})


@pytest.mark.parametrize("pool", ["published", "equal", "none"])
def test_finds_a_user(start: StartApp, ten_users_url: str, pool: PoolChoice) -> None:
    client = start(ten_users_url, orm_pool=pool)
    for _ in range(2):  # with a connection that is new, then with what the pool gives
        reply = client.get("/users/1")
        assert reply.status_code == 200
        assert reply.json() == {"id": 1, "name": "user_1", "email": "user_1@example.com"}


@pytest.mark.parametrize("user_id", [0, -1, 11, 2**31 - 1, -(2**31)])
def test_finds_nobody(start: StartApp, ten_users_url: str, user_id: int) -> None:
    reply = start(ten_users_url).get(f"/users/{user_id}")
    assert (reply.status_code, reply.json()) == (404, {"detail": "User not found"})


@pytest.mark.parametrize("user_id", [str(2**31), "one", "1.5"])
def test_refuses_what_is_no_id(start: StartApp, ten_users_url: str, user_id: str) -> None:
    assert start(ten_users_url).get(f"/users/{user_id}").status_code == 422


def test_waits_for_a_connection_and_not_for_ever(start: StartApp, ten_users_url: str) -> None:
    """More requests than connections and threads: none may wait for a thread while it has a connection."""
    client = start(ten_users_url, orm_pool="published")
    with ThreadPoolExecutor(100) as threads:
        replies = list(threads.map(client.get, ["/users/1"] * 300))
    assert {reply.status_code for reply in replies} == {200}


def test_makes_its_table(start: StartApp, empty_database_url: str) -> None:
    client = start(empty_database_url)
    assert client.get("/users/1").status_code == 404


def test_reads_the_users_of_the_e_commerce_set(start: StartApp, database_url: str) -> None:
    assert start(database_url).get("/users/10000").json()["name"] == "user_10000"


def test_logs_statements_as_published_unless_told_not_to(
    start: StartApp, ten_users_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    start(ten_users_url).get("/users/1")
    assert caplog.text == ""
    start(ten_users_url, orm_echo=settings_of(ten_users_url).orm_echo).get("/users/1")
    assert "WHERE users.id = " in caplog.text


@pytest.mark.parametrize(
    ("choice", "style", "most"),
    [
        ("published", "sync", 15),
        ("published", "async", 30),
        ("equal", "sync", 30),
        ("equal", "async", 30),
    ],
)
def test_most_connections_of_a_pool(choice: PoolChoice, style: Style, most: int) -> None:
    sizes = pool_options(choice, style)
    assert sizes["pool_size"] + sizes["max_overflow"] == most


def test_published_sync_pool_is_the_default_one(ten_users_url: str) -> None:
    url = driver_url(settings_of(ten_users_url), "sync")
    assert limits(create_engine(url)) == limits(create_engine(url, **pool_options("published", "sync")))


def limits(engine: Engine) -> tuple[Any, Any]:
    return vars(engine.pool)["_pool"].maxsize, vars(engine.pool)["_max_overflow"]


def test_without_a_pool_no_connection_stays(start: StartApp, ten_users_url: str, style: Style) -> None:
    with backends(ten_users_url) as count:
        start(ten_users_url, orm_pool="none").get("/users/1")
        # Postgres needs a moment to end the session of a connection that was closed.
        end = monotonic() + 5
        while count() > 0 and monotonic() < end:
            sleep(0.01)
        assert count() == 0
        start(ten_users_url).get("/users/1")
        assert count() == 1


@contextmanager
def backends(url: str) -> Iterator[Callable[[], int]]:
    """Counts the connections to the database but for the one that counts."""
    with psycopg.connect(url, autocommit=True) as connection:

        def count() -> int:
            row = connection.execute("""
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
            """).fetchone()
            return int(row[0]) if row else -1

        yield count


def test_workers_may_make_the_table_at_once(empty_database_url: str) -> None:
    engine = create_engine(driver_url(settings_of(empty_database_url), "sync"))

    def make(_: int) -> None:
        with engine.begin() as connection:
            create_table(connection)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(make, range(8)))
    engine.dispose()


def test_seed_makes_the_table_that_the_apps_make(ten_users_url: str, empty_database_url: str) -> None:
    engine = create_engine(driver_url(settings_of(empty_database_url), "sync"))
    metadata.create_all(engine)
    engine.dispose()
    assert columns(ten_users_url) == columns(empty_database_url)
    assert [name for name, *_ in columns(ten_users_url)] == users.columns.keys()


def columns(url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("""
            SELECT column_name, data_type, is_nullable, column_default
            FROM information_schema.columns WHERE table_name = 'users' ORDER BY ordinal_position
        """).fetchall()
