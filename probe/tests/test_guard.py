"""The guard that keeps an app from databases and stores that are not of the run."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loadtest_probe.guard import Guard, libpq_parts

PROBE = Path(__file__).parents[1]
KINDS = {"5432": "Postgres", "3306": "MySQL", "6379": "Redis"}


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    made = {name: tmp_path / name for name in ("app", "home", "work", "user", "notes")}
    for folder in made.values():
        folder.mkdir()
    return made


def settings(places: dict[str, Path], **given: Any) -> dict[str, Any]:
    return {
        "appFolder": str(places["app"]),
        "home": str(places["home"]),
        "folders": [str(places["work"])],
        "own": [],
        "kinds": KINDS,
        "paths": [],
        **given,
    }


def guard(places: dict[str, Path], **given: Any) -> Guard:
    return Guard(settings(places, **given), str(places["notes"]))


def notes(places: dict[str, Path]) -> list[tuple[str, str]]:
    found = [json.loads(path.read_text()) for path in places["notes"].glob("note-*.json")]
    return sorted((note["kind"], note["text"]) for note in found)


def listening() -> socket.socket:
    """A server of somebody else's."""
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen()
    return server


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("user/data.db", "refused"),
        ("file:user/data.db", "refused"),
        ("file:user/data.db?mode=rwc", "refused"),
        ("home/data.db", "inside"),
        ("work/data.db", "own"),
        ("work/../user/data.db", "refused"),
        ("work/link/data.db", "refused"),
        ("file:user/data.db?mode=ro", None),
        ("file:user/data.db?immutable=1", None),
        (":memory:", None),
        ("", None),
    ],
)
def test_a_file_is_judged_by_its_real_place(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch, path: str, kind: str | None
) -> None:
    monkeypatch.chdir(places["app"].parent)
    (places["work"] / "link").symlink_to(places["user"])
    if kind == "refused":
        with pytest.raises(PermissionError, match="it is not of this run"):
            guard(places).file(path)
    else:
        guard(places).file(path)
    assert [each for each, _ in notes(places)] == ([] if kind is None else [kind])


def test_a_file_that_the_configuration_names_may_be_used(places: dict[str, Path]) -> None:
    guard(places, paths=[str(places["user"] / "data.db")]).file(str(places["user"] / "data.db"))
    assert notes(places) == []


def test_an_address_is_known_by_its_kind_its_port_and_who_listens(places: dict[str, Path]) -> None:
    with listening() as server:
        port = server.getsockname()[1]
        watched = guard(places, kinds={**KINDS, str(port): "Redis"})
        for host in ("127.0.0.1", "localhost", "::ffff:127.0.0.1"):
            with pytest.raises(ConnectionRefusedError, match=f"Redis at 127.0.0.1:{port}"):
                watched.address(host, port)
        guard(places).address("127.0.0.1", port)  # no kind has that port
        guard(places, kinds={str(port): "Redis"}, own=[f"127.0.0.1:{port}"]).address("127.0.0.1", port)
        with pytest.raises(ConnectionRefusedError):
            guard(places).address("db.internal", 5432)
        guard(places, own=["db.internal:5432"]).address("10.0.0.7", 5432)  # the same by its number
    guard(places).address("127.0.0.1", port, "Postgres")  # nobody listens there any more


DRIVERS = [("asyncpg", "Postgres"), ("pymysql", "MySQL"), ("redis", "Redis"), ("pymongo", "MongoDB")]
WAYS = {
    "a socket": "import socket\ndef connect(port): socket.create_connection(('127.0.0.1', port))",
    "asyncio": "import asyncio\n"
    "async def inner(port): await asyncio.open_connection('127.0.0.1', port)\n"
    "async def outer(port): await inner(port)\n"
    "def connect(port): asyncio.run(outer(port))",
}


@pytest.mark.parametrize(("driver", "kind"), DRIVERS)
@pytest.mark.parametrize("way", WAYS)
def test_a_store_at_any_port_is_known_by_its_driver(
    places: dict[str, Path], driver: str, kind: str, way: str
) -> None:
    (places["app"] / driver).mkdir()
    (places["app"] / driver / "__init__.py").touch()
    (places["app"] / driver / "wire.py").write_text(WAYS[way])
    (places["app"] / "other.py").write_text(WAYS[way])
    (places["notes"] / "settings.json").write_text(json.dumps(settings(places)))
    variables = {
        "PATH": os.environ["PATH"],
        "LOADTEST_GUARD": str(places["notes"] / "settings.json"),
        "PYTHONPATH": f"{PROBE / 'loadtest_probe' / 'guarded'}{os.pathsep}{places['app']}",
    }
    with listening() as server:
        port = server.getsockname()[1]
        code = f"import other\nother.connect({port})\nfrom {driver} import wire\nwire.connect({port})"
        ended = subprocess.run(  # noqa: S603 - the test's own words
            [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False
        )
    assert f"the load test refuses {kind} at 127.0.0.1:{port}" in ended.stderr
    assert notes(places) == [("refused", f"{kind} at 127.0.0.1:{port}")]


def test_threads_at_once_are_all_refused(places: dict[str, Path]) -> None:
    code = f"""
import json, sys, threading
sys.path.insert(0, {str(PROBE)!r})
sys.setswitchinterval(1e-6)
from loadtest_probe.guard import Guard
port = int(sys.argv[1])
given = json.loads(sys.argv[2])
guard = Guard(given, sys.argv[3])
sys.addaudithook(guard._on_event)
passed = []
def connect():
    for _ in range(40):
        try:
            guard.address("127.0.0.1", port, "Postgres")
            passed.append(1)
        except ConnectionRefusedError:
            pass
threads = [threading.Thread(target=connect) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(len(passed))
"""
    with listening() as server:
        server.listen(1_000)
        port = server.getsockname()[1]
        given = json.dumps(settings(places, kinds={**KINDS, str(port): "Postgres"}))
        argv = [sys.executable, "-c", code, str(port), given, str(places["notes"])]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize(
    "path",
    ["/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock"],  # noqa: S108
)
def test_the_socket_of_the_machine_s_own_mysql_is_refused(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(os.path, "exists", lambda each: each == path)
    monkeypatch.setattr(os.path, "realpath", lambda each: each)
    with pytest.raises(ConnectionRefusedError, match=path):
        guard(places).mysql(None, None, None)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("host=a port=1 dbname='x'", {"host": "a", "port": "1", "dbname": "x"}),
        ("postgresql://u:p@a:1/x", {"host": "a", "port": "1"}),
        ("postgres://a,b:2/x", {"host": "a,b", "port": "5432,2"}),
        ("postgresql:///x?host=/run/pg&port=7", {"host": "/run/pg", "port": "7"}),
        ("postgresql://[::1]:3/x", {"host": "::1", "port": "3"}),
    ],
)
def test_a_connection_string_says_where(text: str, parts: dict[str, str]) -> None:
    assert libpq_parts(text) == parts


def test_every_host_of_a_connection_string_counts(places: dict[str, Path]) -> None:
    with pytest.raises(ConnectionRefusedError, match=r"Postgres at b\.internal:5432"):
        guard(places, own=["a.internal:1"]).libpq("host=a.internal,b.internal port=1,5432")


def test_a_python_that_begins_with_it_opens_nothing_of_the_user(places: dict[str, Path]) -> None:
    path = places["user"] / "data.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE t (x)")
    before = path.read_bytes()
    (places["notes"] / "settings.json").write_text(json.dumps(settings(places)))
    code = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('DROP TABLE t')"
    variables = {
        "PATH": os.environ["PATH"],
        "LOADTEST_GUARD": str(places["notes"] / "settings.json"),
        "PYTHONPATH": str(PROBE / "loadtest_probe" / "guarded"),
    }
    ended = subprocess.run(  # noqa: S603 - the test's own words
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False
    )
    assert "PermissionError" in ended.stderr
    assert path.read_bytes() == before
    assert notes(places) == [("refused", f"SQLite at {path}")]
