"""Which hosts a process tries to reach: names and addresses, in which window, and what is no host of others."""

import json
import os
import socket
import time
from typing import Any

import pytest

from loadtest_probe.outside import Outside
from tests.conftest import Serve
from tests.servers import Server

UVICORN = "uvicorn --log-level warning --port {port} outside:app"
PATHS = ["/nothing", "/lookup", "/connection", "/thread", "/inside"]
EXPECTED = {
    "/lookup": ["lookup.example.invalid"],
    "/connection": ["connection.example.invalid"],
    "/thread": ["thread.example.invalid"],
}


def seen(server: Server) -> "dict[str, list[str]]":
    """By window, of all processes together."""
    for path in PATHS:
        server.begin_window(path)
        assert server.get(path).status == 200
    server.begin_window("end")
    time.sleep(0.7)
    hosts: dict[str, list[str]] = {}
    for file in server.folder.glob("worker-*.json"):
        for window, names in json.loads(file.read_text())["outside"].items():
            hosts.setdefault(window, []).extend(names)
    return {window: hosts[window] for window in PATHS if window in hosts}


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_what_is_asked_for(serve: Serve, loop: str) -> None:
    assert seen(serve(f"{UVICORN} --loop {loop}", only_outside=True)) == EXPECTED


def test_beside_the_functions_that_run(serve: Serve) -> None:
    assert seen(serve(UVICORN, only_reach=True)) == EXPECTED


@pytest.mark.parametrize(
    ("host", "addresses", "told"),
    [
        ("api.example.com", ["192.0.2.7"], ["api.example.com"]),
        ("api.example.com", [], ["api.example.com"]),
        (b"API.example.com.", [], ["api.example.com"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.7"]),
        ("2001:db8::7", [], ["2001:db8::7"]),
        ("x" * 300, [], ["x" * 255]),
        ("localhost", [], []),
        ("db.localhost", [], []),
        ("127.0.0.1", [], []),
        ("::1", [], []),
        ("::ffff:127.0.0.1", [], []),
        ("0.0.0.0", [], []),  # noqa: S104 - an address to look up; nothing listens
        ("224.0.0.1", [], []),
        ("fe80::1%lo", [], ["fe80::1%lo"]),
        ("named-in-the-hosts-file", ["127.0.0.1", "::1"], []),
        ("half.example.com", ["127.0.0.1", "192.0.2.7"], ["half.example.com"]),
        (os.uname().nodename, ["192.0.2.7"], []),
        (f"{os.uname().nodename}.example.com", [], []),
        ("", [], []),
        (None, [], []),
        (object(), [], []),
    ],
)
def test_what_is_a_host_of_others(host: Any, addresses: "list[str]", told: "list[str]") -> None:
    outside = Outside()
    outside.tried(host, addresses)
    assert [name for names in outside.hosts().values() for name in names] == told


def test_an_address_has_the_name_that_was_looked_up() -> None:
    outside = Outside()
    outside.tried("api.example.com", ["192.0.2.7"])
    outside.window = "load"
    with socket.socket() as connection, socket.socket(type=socket.SOCK_DGRAM) as datagrams:
        outside._on_event("socket.connect", (connection, ("192.0.2.7", 443)))
        outside._on_event("socket.connect", (connection, ("192.0.2.8", 443)))
        outside._on_event("socket.connect", (datagrams, ("192.0.2.7", 443)))
        outside._on_event("socket.connect", (datagrams, ("192.0.2.9", 443)))
        outside._on_event("socket.connect", (connection, "/run/socket"))
        outside._on_event("socket.connect", (None, ("192.0.2.10", 443)))
    outside._on_event("socket.gethostbyname", ("old.example.com",))
    outside._on_event("open", ("file",))
    assert outside.hosts() == {
        "start": ["api.example.com"],
        "load": ["api.example.com", "192.0.2.8", "old.example.com"],
    }


def test_no_end_of_them() -> None:
    outside = Outside()
    for number in range(1_200):
        outside.window = f"window {number % 1_100}"
        outside.tried(f"host{number}.example.com")
    for number in range(60):
        outside.window = "window 0"
        outside.tried(f"more{number}.example.com")
    assert len(outside.hosts()) == 1_000
    assert len(outside.hosts()["window 0"]) == 50
