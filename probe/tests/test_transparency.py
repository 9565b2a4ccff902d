"""A watched app answers as one that is not; what goes wrong with the probe is the probe's problem alone."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Serve
from tests.servers import APPS, GRANIAN, HYPERCORN, PROBE, Reply, serving

UVICORN = "uvicorn --log-level warning --no-date-header --port {port}"
GUNICORN = "gunicorn --no-control-socket -b 127.0.0.1:{port}"
SERVERS = [
    f"{UVICORN} --loop asyncio loops:app",
    f"{UVICORN} --loop uvloop loops:app",
    f"{UVICORN} --workers 2 loops:app",
    f"{UVICORN} loops:wrapped",
    f"{GUNICORN} -k uvicorn_worker.UvicornWorker -w 2 loops:app",
    f"{GUNICORN} -k asgi -w 2 loops:app",
    f"{HYPERCORN} -k asyncio -w 2 loops:app",
    f"{HYPERCORN} -k uvloop loops:app",
    f"{GRANIAN} --loop asyncio --workers 2 loops:app",
    f"{GRANIAN} --loop uvloop --runtime-mode mt loops:app",
    f"{GUNICORN} -w 2 plain_wsgi:app",
    f"{GUNICORN} -k gthread --threads 4 plain_wsgi:app",
    f"{GUNICORN} -k gevent plain_wsgi:app",
    f"{GUNICORN} --preload -w 2 plain_wsgi:app",
]
PATHS = {
    "loops": [
        "/plain",
        "/threads",
        "/users/5/orders",
        "/users/x/orders",
        "/nothing",
        "/broken",
        "/environment",
    ],
    "plain_wsgi": ["/plain", "/stream", "/nothing", "/environment"],
}


def told(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    headers = [(name, value) for name, value in reply.headers if name.lower() != "date"]
    return reply.status, headers, reply.body


@pytest.mark.parametrize("command", SERVERS)
def test_answers_are_the_same(serve: Serve, command: str) -> None:
    paths = PATHS[command.split()[-1].partition(":")[0]]
    plain = serve(command, is_watched=False)
    watched = serve(command)
    watched.begin_window()
    for path in paths:
        with_probe, without = told(watched.get(path)), told(plain.get(path))
        if path == "/environment":
            # The one way in which the tests' own start differs: the probe's package is in the path.
            assert str(APPS) in without[2].decode()
            assert os.pathsep.join([str(PROBE), str(APPS)]) in with_probe[2].decode()
            assert "loadtest_probe" not in with_probe[2].decode()
            assert with_probe[:1] == without[:1]
        else:
            assert with_probe == without
    documents = watched.documents()
    assert sum(endpoint["requests"] for one in documents for endpoint in one["endpoints"]) == len(paths)


def test_trio_is_answered_and_said_to_be_unseen(serve: Serve) -> None:
    server = serve(f"{HYPERCORN} -k trio loops:app")
    server.begin_window()
    assert server.get("/plain").body == b'{"answer":42}'
    assert [one["unseen"] for one in server.documents()] == [
        [{"what": "requests", "reason": "the server does not run the app on an event loop of asyncio"}]
    ]


def test_worker_that_is_restarted(tmp_path: Path) -> None:
    with serving(f"{UVICORN} --workers 2 loops:app", tmp_path) as server:
        server.begin_window("a")
        server.load("/plain", users=8, requests=5)
        before = server.documents("a")
        assert len(before) == 2
        os.kill(before[0]["process"], signal.SIGKILL)
        until = time.monotonic() + 15
        after = server.documents("a")
        while time.monotonic() < until and len(after) < 3:
            server.load("/plain", users=8, requests=5)
            after = server.documents("a")
        assert len(after) == 3
        assert before[0]["process"] in [one["process"] for one in after]


def test_last_requests_before_the_end(tmp_path: Path) -> None:
    with serving(f"{UVICORN} loops:app", tmp_path) as server:
        server.begin_window("a")
        time.sleep(0.6)
        server.get("/plain")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) in (0, -signal.SIGTERM)
        (document,) = server.documents("a")
        assert document["endpoints"][0]["requests"] == 1


def test_children_of_the_app_are_left_alone(tmp_path: Path) -> None:
    with serving(f"{GUNICORN} plain_wsgi:app", tmp_path) as server:
        server.begin_window("a")
        assert server.get("/child").body == b"from a child"
        assert server.get("/fork").body == b"from a fork"
        assert len(server.documents("a")) == 1


@pytest.mark.parametrize("damage", ["folder is gone", "folder is full of nothing"])
def test_reports_that_cannot_be_written(tmp_path: Path, damage: str) -> None:
    with serving(f"{UVICORN} loops:app", tmp_path) as server:
        if damage == "folder is gone":
            server.folder.rename(tmp_path / "elsewhere")
        else:
            server.folder.chmod(0)
        server.load("/plain", users=2, requests=5)
        time.sleep(1)
        assert server.get("/plain").body == b'{"answer":42}'
        if server.folder.exists():
            server.folder.chmod(0o700)


def test_patch_that_fails_is_reported(tmp_path: Path) -> None:
    """A library of another form, and one that breaks: the app does not notice, the report says it."""
    variables = {"PYTHONPATH": os.pathsep.join([str(PROBE), str(APPS / "strange"), str(APPS)])}
    with serving(f"{UVICORN} strange_pool:app", tmp_path, variables=variables) as server:
        server.begin_window("a")
        assert server.get("/").body == b'"strange"'
        (document,) = server.documents("a")
        unseen = {each["what"]: each["reason"] for each in document["unseen"]}
        assert "pools of psycopg_pool" in unseen
        assert "ConnectionPool" in unseen["pools of psycopg_pool"]


@pytest.mark.parametrize(
    ("mode", "words", "said"),
    [
        (0o755, ["true"], "must be the caller's own, with mode 0700"),
        (0o700, ["no-such-program"], "no-such-program could not be started"),
    ],
)
def test_what_cannot_be_started(tmp_path: Path, mode: int, words: list[str], said: str) -> None:
    tmp_path.chmod(mode)
    done = subprocess.run(  # noqa: S603 - the tests' own words
        [sys.executable, "-m", "loadtest_probe", "--folder", str(tmp_path), "--", *words],
        cwd=PROBE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (2, 127)
    assert said in done.stderr
