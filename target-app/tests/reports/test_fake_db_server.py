import asyncio
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

import httpx2
import pytest

from reports.fake_db_server import is_last
from tests.reports.conftest import FAKE_DB_SLEEP_MS
from tests.reports.servers import APP_FOLDER


async def ask(url: str, times: int) -> list[httpx2.Response]:
    limits = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(limits=limits, trust_env=False) as client:
        return await asyncio.gather(*(client.get(url) for _ in range(times)))


def test_data_is_random(fake_db_url: str) -> None:
    replies = asyncio.run(ask(fake_db_url, 20))
    assert {(reply.status_code, len(reply.text)) for reply in replies} == {(200, 32)}
    assert len({reply.text for reply in replies}) == 20


def test_sleeps_for_all_clients_at_once(fake_db_url: str) -> None:
    started = time.monotonic()
    asyncio.run(ask(fake_db_url, 50))
    waited_seconds = time.monotonic() - started
    # One after the other they would take longer on any machine, however quick.
    assert waited_seconds < 50 * FAKE_DB_SLEEP_MS / 1000
    # A timer may fire within its resolution before its time.
    assert waited_seconds > FAKE_DB_SLEEP_MS / 1000 - 0.002


def test_keeps_a_connection_and_reads_requests_however_they_are_cut(fake_db_url: str) -> None:
    place = urlsplit(fake_db_url)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=5) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT")
        connection.sendall(b"TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        text = b"".join(iter(lambda: connection.recv(4096), b""))  # until the server closes
    assert text.count(b"HTTP/1.1 200 OK\r\n") == 2
    assert text.index(b"Connection: keep-alive") < text.index(b"Connection: close")


@pytest.mark.parametrize(
    ("head", "last"),
    [
        (b"GET / HTTP/1.1\r\nHost: a", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive", False),
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close", True),
        (b"GET / HTTP/1.0", True),
    ],
)
def test_closes_when_the_client_wants_it(head: bytes, last: bool) -> None:
    assert is_last(head) == last


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--sleep", "-1", "must be from 0 to 60000 ms, it is -1"),
        ("--sleep", "nan", "must be from 0 to 60000 ms, it is nan"),
        ("--sleep", "soon", "invalid milliseconds value: 'soon'"),
        ("--port", "70000", "cannot listen on port 70000"),
    ],
)
def test_says_what_is_wrong(option: str, value: str, words: str) -> None:
    command = [sys.executable, "-m", "reports.fake_db_server", f"{option}={value}"]
    ended = subprocess.run(command, cwd=APP_FOLDER, capture_output=True, text=True, timeout=60)  # noqa: S603
    assert ended.returncode != 0
    assert words in ended.stderr.splitlines()[-1]


def test_says_that_its_port_is_taken(fake_db_url: str) -> None:
    port = urlsplit(fake_db_url).port
    command = [sys.executable, "-m", "reports.fake_db_server", f"--port={port}"]
    ended = subprocess.run(command, cwd=APP_FOLDER, capture_output=True, text=True, timeout=60)  # noqa: S603
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    assert f"cannot listen on port {port}" in line
