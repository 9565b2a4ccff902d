"""The apps in this process; test_servers.py serves them."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from pydantic import AnyUrl
from starlette.applications import Starlette
from starlette.testclient import TestClient
from werkzeug.test import Client as WsgiClient

from reports import asgi_app, donkey_patched_app, stupid_asgi_app, wsgi_app
from reports.parts.fake_db import FakeDbSettings
from reports.parts.page import render_page

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


@pytest.fixture
def settings(fake_db_url: str) -> FakeDbSettings:
    return FakeDbSettings(fake_db_url=AnyUrl(fake_db_url))


Reply = tuple[int, str, str]
Get = Callable[[str], Reply]


@pytest.fixture(
    params=[asgi_app, stupid_asgi_app, wsgi_app, donkey_patched_app], ids=lambda app: app.__name__
)
def get(request: pytest.FixtureRequest, settings: FakeDbSettings) -> Get:
    if request.param in (asgi_app, stupid_asgi_app):
        return lambda path: get_asgi(request.param.create_app(settings), path)
    return lambda path: get_wsgi(request.param.create_app(settings), path)


def get_asgi(app: Starlette, path: str) -> Reply:
    with TestClient(app) as client:
        reply = client.get(path)
    return reply.status_code, reply.headers["content-type"], reply.text


def get_wsgi(app: "WSGIApplication", path: str) -> Reply:
    reply = WsgiClient(app).get(path)
    return reply.status_code, reply.headers["content-type"], reply.text


def test_shows_the_page(get: Get) -> None:
    assert get("/") == (200, "text/html; charset=utf-8", render_page())


def test_asks_the_fake_database(get: Get) -> None:
    status, kind, text = get("/api")
    assert (status, kind) == (200, "application/json")
    assert re.fullmatch(r'\{"data": ?"[0-9a-f]{32}"\}', text)
    assert get("/api")[2] != text


def test_has_nothing_else(get: Get) -> None:
    assert get("/other")[0] == 404


def test_page_is_escaped_and_of_the_published_size() -> None:
    page = render_page()
    assert "<title>Sync &amp; async</title>" in page
    assert 270 <= len(page.encode()) <= 330
