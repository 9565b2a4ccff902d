"""Every kind of server that the reports name starts every app that it can serve.

Two workers stand for one as well where a server starts its workers alike, as gunicorn does.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from time import monotonic

import httpx2
import pytest

from tests.reports.conftest import FAKE_DB_SLEEP_MS
from tests.reports.servers import serving

GUNICORN = "-m gunicorn -b 127.0.0.1:{{port}} --no-control-socket"

ASGI_SERVERS = [
    "-m uvicorn --port {{port}} --log-level error {app}",
    "-m uvicorn --port {{port}} --log-level error --workers 2 {app}",
    GUNICORN + " -k uvicorn_worker.UvicornWorker -w 2 {app}",
]

WSGI_SERVERS = [
    GUNICORN + " -w 2 {app}",
    GUNICORN + " -k gthread -w 2 {app}",
    GUNICORN + " -k gthread -w 2 --threads 10 {app}",
    GUNICORN + " -k gevent -w 2 {app}",
]

# What each app is asked, and what must be in the reply.
ASGI_APPS = {
    "app.asgi:app": {"/health": "ok", "/async_select": "user_1", "/sync_simulation?user_id=1": "2584"},
    "reports.waits:app": {"/sync_baseline?seconds=0": "third", "/async_concurrent?seconds=0": "third"},
    "reports.keyword_routes:app": {"/sync": "Hello", "/async-threadpool-mix?seconds=0": "Hello"},
    "reports.orm_sync:app": {"/users/1": "user_1"},
    "reports.orm_async:app": {"/users/1": "user_1"},
    "reports.asgi_app:app": {"/": "<h1>", "/api": "data"},
    "reports.stupid_asgi_app:app": {"/": "<h1>", "/api": "data"},
}

WSGI_APPS = {
    "reports.wsgi_app:app": {"/": "<h1>", "/api": "data"},
    "reports.donkey_patched_app:app": {"/": "<h1>", "/api": "data"},
}


def readable(value: object) -> str | None:
    """Of a command, what tells it from the others."""
    if not isinstance(value, str):
        return None
    alike = ["-m ", "-b 127.0.0.1:{port} ", "--no-control-socket ", "--port {port} ", "--log-level error "]
    return reduce(lambda text, words: text.replace(words, ""), alike, value)


@pytest.fixture
def variables(fake_db_url: str) -> dict[str, str]:
    return {"FAKE_DB_URL": fake_db_url, "ORM_ECHO": "0"}


CASES = [
    (command.format(app=app), replies)
    for servers, apps in ((ASGI_SERVERS, ASGI_APPS), (WSGI_SERVERS, WSGI_APPS))
    for app, replies in apps.items()
    for command in servers
    # Two requests at once would fail: gevent runs both in one thread, where asyncio allows one event loop.
    if not ("gevent" in command and "donkey" in app)
]

# As printed in the report; the class is deprecated, but still there.
PRINTED_WORKER = GUNICORN + " -k uvicorn.workers.UvicornWorker -w 1 {app}"
CASES.append((PRINTED_WORKER.format(app="reports.asgi_app:app"), ASGI_APPS["reports.asgi_app:app"]))


@pytest.mark.parametrize(("command", "replies"), CASES, ids=readable)
def test_serves(command: str, replies: dict[str, str], variables: dict[str, str], tmp_path: Path) -> None:
    with serving(command, tmp_path / "log", variables) as client:
        for path, words in replies.items():
            reply = client.get(path)
            assert (reply.status_code, words in reply.text) == (200, True), reply.text


@pytest.mark.parametrize(
    ("command", "in_turn"),
    [
        (ASGI_SERVERS[0].format(app="reports.asgi_app:app"), False),
        (ASGI_SERVERS[0].format(app="reports.stupid_asgi_app:app"), True),
        (GUNICORN.format() + " -w 1 reports.wsgi_app:app", True),
        (GUNICORN.format() + " -w 1 -k gthread --threads 10 reports.wsgi_app:app", False),
        (GUNICORN.format() + " -w 1 -k gevent reports.wsgi_app:app", False),
        (GUNICORN.format() + " -w 1 reports.donkey_patched_app:app", True),
    ],
    ids=readable,
)
def test_who_waits_in_turn(command: str, in_turn: bool, variables: dict[str, str], tmp_path: Path) -> None:
    """The point of the report: six calls of the fake database at once take one sleep or six."""
    with serving(command, tmp_path / "log", variables) as client:
        client.get("/api")
        # The quickest of three rounds: in turn none is quick, otherwise only those that the machine lets be.
        waited_ms = min(six_at_once(client) for _ in range(3))
    assert (waited_ms > 5.9 * FAKE_DB_SLEEP_MS) == in_turn


def six_at_once(client: httpx2.Client) -> float:
    """Milliseconds until the last of six calls at once has its reply."""
    started = monotonic()
    with ThreadPoolExecutor(6) as threads:
        replies = list(threads.map(client.get, ["/api"] * 6))
    waited_ms = (monotonic() - started) * 1000
    assert {reply.status_code for reply in replies} == {httpx2.codes.OK}
    return waited_ms
