"""Which functions run: in which window, on which server, and what cannot be known."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from loadtest_probe.source_lines import read_source_lines
from tests.conftest import Serve
from tests.servers import APPS, GRANIAN, HYPERCORN, PROBE, Server, line_of

UVICORN = "uvicorn --log-level warning --port {port} reached:app"
TWO = "uvicorn --log-level warning --port {port} --workers 2 reached:app"
# From 3.12 on Python itself tells of each call, whatever the app does.
TELLS_ALL = sys.version_info >= (3, 12)
GUNICORN = "gunicorn --no-control-socket -b 127.0.0.1:{port} -k uvicorn_worker.UvicornWorker -w 2 reached:app"

SERVERS = [
    (UVICORN, 1),
    (TWO, 2),
    (GUNICORN, 2),
    (GUNICORN.replace("uvicorn_worker.UvicornWorker", "asgi"), 2),
    (f"{HYPERCORN} -w 2 reached:app", 2),
    (f"{GRANIAN} --workers 2 reached:app", 2),
]


def ask(server: Server, path: str) -> dict[str, Any]:
    """What ran for some requests of a path, of all processes together."""
    server.begin_window(path)
    for _ in range(20):
        server.get(path)
    server.begin_window("end")
    time.sleep(0.7)
    ran: dict[str, set[str]] = {}
    doubts: set[str] = set()
    opened: set[str] = set()
    for file in server.folder.glob("worker-*.json"):
        document = json.loads(file.read_text())
        doubts.update(document["doubts"])
        opened.update(document["opened"])
        for each in document["files"]:
            for function in each["functions"] if each["file"] == "reached.py" else []:
                ran.setdefault(function["name"], set()).update(function["ran"])
    return {"ran": ran, "doubts": doubts, "opened": opened}


def wait_until_loaded(server: Server, workers: int) -> None:
    """The first worker answers while another one still starts, and that would be in a window of requests."""
    until = time.monotonic() + 60
    while sum('"reached.py"' in file.read_text() for file in server.folder.glob("worker-*.json")) < workers:
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize(("command", "workers"), SERVERS)
def test_what_runs_for_which_requests(serve: Serve, command: str, workers: int) -> None:
    server = serve(command, only_reach=True)
    wait_until_loaded(server, workers)
    expected = {
        "/remembered": {"remembered"},
        "/thread": {"in_thread", "in_its_turn"},
        "/shop": {"Shop.close", "Shop.close.inner"},
        "/other": set(),
    }
    for path, names in expected.items():
        seen = ask(server, path)
        assert seen["doubts"] == set()
        assert {name for name, ran in seen["ran"].items() if path in ran} == {"app", *names}
    assert "start" in seen["ran"]["at_start"]
    assert seen["ran"]["Shop.open"] == set()
    assert seen["ran"]["never"] == set()


def test_how_often_each_is_called(serve: Serve) -> None:
    server = serve(UVICORN, only_reach=True)
    ask(server, "/counted")
    counts: dict[str, int] = {}
    for file in server.folder.glob("worker-*.json"):
        for each in json.loads(file.read_text())["files"]:
            for function in each["functions"] if each["file"] == "reached.py" else []:
                for window, calls in zip(function["ran"], function["calls"]):
                    if window == "/counted":
                        counts[function["name"]] = counts.get(function["name"], 0) + calls
    # A coroutine that waits and goes on was called once.
    assert counts == {"app": 20, "waits": 20, "counted": 60}


@pytest.fixture
def own(serve: Serve, request: pytest.FixtureRequest) -> Server:
    """A server of the test's own, because what is in doubt stays so."""
    return serve(UVICORN, only_reach=True, variables={"TEST": request.node.name})


def test_files_that_are_read(own: Server) -> None:
    assert "loops.py" in ask(own, "/reads")["opened"]


@pytest.mark.parametrize(
    ("path", "doubt"),
    [
        ("/profiles", "it sets a profile function of its own"),
        ("/bare-thread", "it starts threads past Python's own module"),
        ("/gevent", "it uses gevent, whose switches hide calls"),
    ],
)
def test_what_a_profile_function_cannot_know(own: Server, path: str, doubt: str) -> None:
    assert ask(own, path)["doubts"] == (set() if TELLS_ALL else {doubt})


@pytest.mark.skipif(not TELLS_ALL, reason="this Python has no sys.monitoring")
@pytest.mark.parametrize("path", ["/profiles", "/bare-thread"])
def test_what_a_profile_function_would_miss(own: Server, path: str) -> None:
    seen = ask(own, path)
    assert {name for name, ran in seen["ran"].items() if path in ran} >= {"app", "in_thread", "in_its_turn"}


@pytest.mark.parametrize(
    ("path", "doubt"),
    [
        ("/program", "it starts another Python that cannot be watched"),
        ("/spawned", "it starts other programs"),
    ],
)
def test_a_program_cannot_be_known(own: Server, path: str, doubt: str) -> None:
    assert ask(own, path)["doubts"] == {doubt}


@pytest.mark.parametrize(
    ("end", "has_ended"), [("", True), ("raise SystemExit(1)", True), ("os._exit(0)", False)]
)
def test_command_that_ends_at_once(tmp_path: Path, end: str, has_ended: bool) -> None:
    (tmp_path / "seed.py").write_text(f"import os\ndef fill():\n    return 1\nfill()\n{end}\n")
    folder = tmp_path / "documents"
    folder.mkdir(mode=0o700)
    variables = {
        **os.environ,
        "PYTHONPATH": str(PROBE / "loadtest_probe" / "start"),
        "LOADTEST_PROBE_FOLDER": str(folder),
        "LOADTEST_PROBE_APP_FOLDER": str(tmp_path),
        "LOADTEST_PROBE_REACH": "yes",
    }
    subprocess.run([sys.executable, "seed.py"], cwd=tmp_path, env=variables, check=False)
    (document,) = [json.loads(file.read_text()) for file in folder.glob("worker-*.json")]
    assert document["ended"] is has_ended
    if has_ended:
        (file,) = document["files"]
        assert [(each["name"], each["ran"]) for each in file["functions"]] == [("fill", ["start"])]


def test_an_import_that_fails_is_no_use_of_it(own: Server) -> None:
    assert ask(own, "/without-gevent")["doubts"] == set()


def test_lines_of_bodies_and_of_nothing() -> None:
    lines = read_source_lines(str(APPS / "reached.py"))
    assert lines is not None
    bodies = {each.name: (each.first, each.last) for each in lines.functions}
    computed = line_of("reached.py", "return number + 1")
    assert bodies["remembered"] == (computed, computed)
    assert line_of("reached.py", "# computed once") in lines.empty
    assert line_of("reached.py", "# no comment") not in lines.empty
    assert 1 in lines.empty  # the module's documentation
    assert set(bodies) == {
        "at_start", "remembered", "in_thread", "in_its_turn",
        "Shop.close", "Shop.close.inner", "Shop.open", "never", "app", "waits", "counted",
        "bare_thread", "bare_thread.run",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("def f(\n  a: int | None = -1,\n) -> dict[str, list[int]]:\n  return 1\n", (1, 4)),
        ("def f(): return 1\n", (1, 1)),
        ("class A:\n  def f(self):\n    return 1\n", (2, 3)),
        ("def f(a=make()):\n  return 1\n", (2, 2)),
        ("def f() -> made():\n  return 1\n", (2, 2)),
        ("def f(a=[b for b in c]):\n  return 1\n", (2, 2)),
        ("@seen\ndef f():\n  return 1\n", (3, 3)),
        ("def outer():\n  def f():\n    return 1\n", (3, 3)),
        ("def f(a=make()): return 1\n", None),
    ],
)
def test_a_head_that_only_gives_a_name_belongs_to_its_function(
    tmp_path: Path, text: str, lines: tuple[int, int] | None
) -> None:
    (tmp_path / "file.py").write_text(text)
    found = read_source_lines(str(tmp_path / "file.py"))
    assert found is not None
    functions = {each.plain_name: (each.first, each.last) for each in found.functions}
    assert functions.get("f") == lines


@pytest.mark.parametrize("text", ["def broken(:\n", "\0", "(" * 10_000])
def test_files_that_are_no_python(tmp_path: Path, text: str) -> None:
    (tmp_path / "file.py").write_text(text)
    assert read_source_lines(str(tmp_path / "file.py")) is None
    assert read_source_lines(str(tmp_path / "absent.py")) is None


def test_every_statement_outside_of_empty_lines() -> None:
    for path in sorted(APPS.glob("*.py")):
        lines = read_source_lines(str(path))
        assert lines is not None
        statements = {
            each.lineno
            for each in ast.walk(ast.parse(path.read_text()))
            if isinstance(each, ast.stmt) and not isinstance(each, ast.Expr)
        }
        assert statements.isdisjoint(lines.empty), path
