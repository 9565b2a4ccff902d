"""Starts a real server in a process group of its own and ends all of it afterwards."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

APP_FOLDER = Path(__file__).parents[2]

START_WITHIN_SECONDS = 60


@contextmanager
def started(
    arguments: list[str], log_path: Path, variables: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run Python with these arguments; its output goes to the log."""
    with log_path.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - the tests' own words
            [sys.executable, *arguments],
            cwd=APP_FOLDER,
            env={**os.environ, **variables},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        # Not one request is under way, so nobody has to be asked to finish.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def serving(command: str, log_path: Path, variables: dict[str, str]) -> Iterator[httpx2.Client]:
    """A client of the server that the command starts. The command says {port} where the port belongs."""
    port = free_port()
    with (
        started(command.format(port=port).split(), log_path, variables) as process,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=10, trust_env=False) as client,
    ):
        wait_until_it_answers(client, process, log_path)
        yield client


def wait_until_it_answers(client: httpx2.Client, process: subprocess.Popen[bytes], log_path: Path) -> None:
    deadline = time.monotonic() + START_WITHIN_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            client.get("/")
        except httpx2.TransportError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"the server did not start, its log says:\n{log_path.read_text()}")
