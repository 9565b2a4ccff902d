import importlib

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient


def test_is_well(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok"}


def test_a_server_can_import_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert isinstance(importlib.import_module("app.asgi").app, FastAPI)
