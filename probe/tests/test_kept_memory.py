"""Which lines allocate what stays in memory."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from loadtest_probe.kept_memory import KeptMemory
from loadtest_probe.settings import Settings
from tests.conftest import Serve
from tests.servers import APPS, GRANIAN, HYPERCORN, Server, line_of

COMMANDS = [
    "uvicorn --log-level warning --port {port} keeping:app",
    "gunicorn --no-control-socket -b 127.0.0.1:{port} -k uvicorn_worker.UvicornWorker keeping:app",
    "gunicorn --no-control-socket -b 127.0.0.1:{port} -k asgi keeping:app",
    f"{HYPERCORN} keeping:app",
    f"{GRANIAN} keeping:app",
]
REQUESTS = 200
WITHIN_SECONDS = 60


def told(server: Server, window: str) -> list[dict[str, Any]]:
    """The documents of all processes, when each has told of that window."""
    (server.folder / "window").write_text(window)
    until = time.monotonic() + WITHIN_SECONDS
    while True:
        found = [json.loads(path.read_text()) for path in server.folder.glob("worker-*.json")]
        if found and all(each["window"] == window for each in found):
            return found
        assert time.monotonic() < until, found
        time.sleep(0.05)


def kept_by(server: Server, path: str) -> dict[str, Any]:
    """What the process that answers keeps of many requests."""
    told(server, f"first {path}")
    server.load(path, users=2, requests=20)
    told(server, f"before {path}")
    server.load(path, users=2, requests=REQUESTS // 2)
    return max(told(server, f"after {path}"), key=lambda each: int(each["keptBytes"]))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_line_that_keeps_it(serve: Serve, command: str) -> None:
    found = kept_by(serve(command, only_memory=True), "/keeps")
    first = found["lines"][0]
    assert first["place"] == {
        "file": "keeping.py",
        "line": line_of("keeping.py", "# kept"),
        "function": "Shop.remember",
        "code": '_texts.append("x" * 2_000 + str(number))  # kept',
    }
    assert 2_000 <= first["bytes"] / REQUESTS <= 2_300
    assert first["bytes"] <= found["keptBytes"] + 100_000
    assert found["unseen"] == []


def test_what_a_library_allocates_counts_for_the_line_that_calls_it(serve: Serve) -> None:
    found = kept_by(serve(COMMANDS[0], only_memory=True), "/copies")
    first = found["lines"][0]
    assert first["place"]["line"] == line_of("keeping.py", "# copied")
    assert first["bytes"] / REQUESTS > 20 * 150


def test_what_is_freed_is_not_told(serve: Serve) -> None:
    found = kept_by(serve(COMMANDS[0], only_memory=True), "/forgets")
    assert sum(each["bytes"] for each in found["lines"]) < 50 * REQUESTS


def test_an_app_that_uses_tracemalloc_itself(serve: Serve) -> None:
    server = serve(COMMANDS[0], variables={"LEVEL": "own"}, only_memory=True)
    told(server, "one")
    server.get("/traces")
    (found,) = told(server, "another")
    assert found["lines"] == []
    (said,) = found["unseen"]
    assert "tracemalloc" in said


def test_functions_are_known_by_their_lines(tmp_path: Path) -> None:
    memory = KeptMemory(Settings(str(tmp_path), str(APPS)))
    path = str(APPS / "keeping.py")
    assert memory._function_at(path, line_of("keeping.py", "_copies: list")) == "<module>"
    assert memory._function_at(path, line_of("keeping.py", "# copied")) == "copies"
    assert memory._function_at(str(tmp_path / "gone.py"), 1) == "<module>"
