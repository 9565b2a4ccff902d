"""Real servers on loopback, watched or not, and users who send requests one after the other."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

PROBE = Path(__file__).parents[1]
APPS = Path(__file__).parent / "apps"
START_WITHIN_SECONDS = 20
HYPERCORN = "hypercorn --log-level warning -b 127.0.0.1:{port}"
GRANIAN = "granian --log-level warning --interface asgi --host 127.0.0.1 --port {port}"

_numbers = count()


@dataclass
class Reply:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass
class Server:
    process: "subprocess.Popen[bytes]"
    port: int
    folder: Path
    log: Path
    replies: list[Reply] = field(default_factory=list)

    def get(self, path: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            return _get(connection, path)
        finally:
            connection.close()

    def load(self, path: str, *, users: int, requests: int) -> float:
        """Each user sends that many; the requests of a second."""
        failures: list[BaseException] = []

        def use() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                for _ in range(requests):
                    reply = _get(connection, path)
                    assert reply.status < 400, (reply, self.log.read_text())
            except BaseException as error:
                failures.append(error)
            finally:
                connection.close()

        threads = [threading.Thread(target=use) for _ in range(users)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        return users * requests / (time.perf_counter() - began)

    def begin_window(self, name: str = "load") -> None:
        (self.folder / "window").write_text(name)
        time.sleep(0.25)

    def documents(self, window: str = "load") -> list[dict[str, Any]]:
        """Of all processes, when each has written what it saw."""
        time.sleep(0.7)
        found = [json.loads(path.read_text()) for path in sorted(self.folder.glob("worker-*.json"))]
        return [each for each in found if each["window"] == window]

    def diagnose(self, path: str, *, users: int = 4, requests: int = 10) -> "Seen":
        window = f"load {next(_numbers)}"
        self.begin_window(window)
        rate = self.load(path, users=users, requests=requests)
        return Seen(self.documents(window), rate, users * requests)


@dataclass
class Seen:
    documents: list[dict[str, Any]]
    rate: float
    sent: int

    @property
    def lost_ms(self) -> float:
        """Time in which the machine let something else run than the loops."""
        return float(sum(one["loopLostMs"] for one in self.documents))

    def endpoints(self, route: str) -> list[dict[str, Any]]:
        return [each for one in self.documents for each in one["endpoints"] if each["route"] == route]

    def endpoint(self, route: str) -> dict[str, Any]:
        found = self.endpoints(route)
        assert len(found) == 1, (route, self.documents)
        return found[0]

    def most(self, route: str, kind: str) -> dict[str, Any]:
        """The first of a list: the one that took the most time."""
        lists = [endpoint[kind] for endpoint in self.endpoints(route)]
        items: list[dict[str, Any]] = [each[0] for each in lists if each]
        assert items, (route, kind, self.documents)
        return items[0]


def _get(connection: http.client.HTTPConnection, path: str) -> Reply:
    connection.request("GET", path)
    response = connection.getresponse()
    return Reply(response.status, sorted(response.getheaders()), response.read())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def serving(
    command: str,
    folder: Path,
    *,
    variables: "dict[str, str] | None" = None,
    is_watched: bool = True,
    only_reach: bool = False,
    only_stacks: bool = False,
    only_outside: bool = False,
    only_memory: bool = False,
) -> Iterator[Server]:
    """The command is a Python module and its arguments; {port} stands where the port belongs."""
    port = free_port()
    documents = folder / "probe"
    documents.mkdir(mode=0o700)
    words = [sys.executable, "-m", *command.format(port=port).split()]
    paths = os.pathsep.join([str(PROBE), str(APPS)] if is_watched else [str(APPS)])
    environment = {**os.environ, "PYTHONPATH": paths, **(variables or {})}
    if is_watched:
        purposes = {
            "--reach": only_reach,
            "--stacks": only_stacks,
            "--outside": only_outside,
            "--memory": only_memory,
        }
        purpose = [option for option, is_wanted in purposes.items() if is_wanted]
        options = ["--folder", str(documents), *purpose]
        words = [sys.executable, "-m", "loadtest_probe", *options, "--", *words]
    log_path = folder / "server.log"
    with log_path.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - the tests' own words
            words, cwd=APPS, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    server = Server(process, port, documents, log_path)
    try:
        _wait_until_it_answers(server)
        yield server
    finally:
        with suppress(ProcessLookupError):  # a test may have ended it
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_it_answers(server: Server) -> None:
    until = time.monotonic() + START_WITHIN_SECONDS
    while True:
        try:
            server.get("/ready")
            return
        except OSError:
            said = server.log.read_text()
            assert server.process.poll() is None, said
            assert time.monotonic() < until, said
            time.sleep(0.05)


def line_of(file: str, text: str) -> int:
    """Where an app's file says so."""
    lines = (APPS / file).read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if text in line]
    assert len(found) == 1, (file, text, found)
    return found[0]
