"""A real fake database, and a real Postgres database with ten users in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.reports.servers import free_port, serving

SEED = Path(__file__).parents[3] / "sql" / "reports" / "ten-users.sql"

FAKE_DB_SLEEP_MS = 100


@pytest.fixture(scope="session")
def fake_db_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    command = f"-m reports.fake_db_server --port {{port}} --sleep {FAKE_DB_SLEEP_MS}"
    with serving(command, tmp_path_factory.mktemp("fake-db") / "log", {}) as client:
        yield str(client.base_url)


@contextmanager
def new_database(server_url: str, name: str) -> Iterator[str]:
    """An empty database beside the one of the URL."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield server_url.rsplit("/", 1)[0] + f"/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def empty_database_url(database_url: str) -> Iterator[str]:
    with new_database(database_url, f"orm_empty_{free_port()}") as url:
        yield url


@pytest.fixture(scope="session")
def ten_users_url(database_url: str) -> Iterator[str]:
    with new_database(database_url, f"orm_ten_users_{free_port()}") as url:
        with psycopg.connect(url) as connection:
            connection.execute(SEED.read_bytes())
        yield url
