"""A real Postgres for all tests, filled by the files of ../sql at scale 0.01."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings


@pytest.fixture(scope="session")
def database_url() -> str:
    url = os.environ.get("DATABASE_URL")
    if not url:
        pytest.fail("set DATABASE_URL to a Postgres that ../sql/01 to 04 filled at scale 0.01, it is not set")
    return url


MakeClient = Callable[..., TestClient]


@pytest.fixture(scope="session")
def make_client(database_url: str) -> Iterator[MakeClient]:
    """Start an app with settings of its own; it stops after the last test."""
    with ExitStack() as stack:

        def start(**changes: object) -> TestClient:
            settings = Settings.model_validate({"database_url": database_url, "pool_size": 2, **changes})
            return stack.enter_context(TestClient(create_app(settings)))

        yield start


@pytest.fixture(scope="session")
def client(make_client: MakeClient) -> TestClient:
    return make_client()
