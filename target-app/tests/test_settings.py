import pytest
from fastapi.testclient import TestClient
from psycopg_pool import PoolTimeout
from pydantic import ValidationError

from app.main import create_app
from app.settings import Settings

WITH_DATABASE = [
    "/sync_select",
    "/async_select",
    "/sync_simulation",
    "/async_simulation",
    "/async_simulation_to_thread",
]


def test_waits_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    with TestClient(create_app()) as client:
        assert client.get("/health").status_code == 200
        assert client.get("/async_endpoint_async_processing?ms=0").status_code == 200
        for path in WITH_DATABASE:
            reply = client.get(path)
            assert reply.status_code == 503
            assert reply.json() == {
                "detail": "this endpoint needs the database: start the app with DATABASE_URL=postgresql://..."
            }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://me:secret@127.0.0.1/shop"),
        ("POOL_SIZE", "0"),
        ("POOL_TIMEOUT_SECONDS", "0"),
        ("FIB", "41"),
        ("FIB", "deep"),
    ],
)
def test_names_a_bad_variable_but_not_its_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as caught:
        create_app()
    assert name.lower() in str(caught.value)
    assert "secret" not in str(caught.value)


def test_does_not_start_without_its_database() -> None:
    # Nothing listens on port 1.
    settings = Settings.model_validate(
        {"database_url": "postgresql://nobody@127.0.0.1:1/nowhere", "start_timeout_seconds": 0.2}
    )
    with pytest.raises(PoolTimeout), TestClient(create_app(settings)):
        pass
