"""Refuses databases, brokers and stores that are not of this run: somebody's own data are no place for a load test.

It is in every Python process of the app but those that are measured after a start with it, and notes what it refused.
A store is known by its driver, or by the port that its kind has everywhere. What the configuration names may be used.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import ipaddress
import json
import os
import re
import socket
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from loadtest_probe.imports import AfterImport
from loadtest_probe.private_file import replace_private

VARIABLE = "LOADTEST_GUARD"  # path of the settings; the notes go next to them
_SOCKET = re.compile(r"\.s\.PGSQL\.\d+$|(?:mysqld?|mariadb|redis)[\w.-]*\.sock$")
_OF_POSTGRES = ("/var/run/postgresql", "/tmp")  # noqa: S108
_OF_MYSQL = (
    "/run/mysqld/mysqld.sock",
    "/var/run/mysqld/mysqld.sock",
    "/var/lib/mysql/mysql.sock",  # of Red Hat and SUSE
    "/tmp/mysql.sock",  # noqa: S108
)
_OF_DRIVERS = {
    "Postgres": ("asyncpg", "pg8000", "psycopg"),
    "MySQL": ("pymysql", "aiomysql", "asyncmy", "mysql"),
    "Redis": ("redis", "aioredis", "valkey", "coredis"),
    "MongoDB": ("pymongo",),
    "RabbitMQ": ("aiormq", "pika", "amqp"),
    "Kafka": ("kafka", "aiokafka"),
    "NATS": ("nats",),
    "Elasticsearch": ("elasticsearch", "elastic_transport", "opensearchpy"),
    "ClickHouse": ("clickhouse_connect", "clickhouse_driver"),
    "Cassandra": ("cassandra",),
    "Neo4j": ("neo4j",),
    "Memcached": ("pymemcache", "aiomcache"),
    "Oracle": ("oracledb",),
}
_DRIVERS = {package: kind for kind, packages in _OF_DRIVERS.items() for package in packages}
_MOST_FRAMES = 100
_MOST_NOTES = 20
_LONGEST = 300
_NOBODY = {errno.ECONNREFUSED, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.ENETUNREACH}


class Guard:
    """There is one in each process."""

    def __init__(self, settings: dict[str, Any], folder: str) -> None:
        self._folder = folder
        self._app_folder = settings["appFolder"]
        self._home = os.path.realpath(settings["home"])
        self._folders = [os.path.realpath(each) for each in settings["folders"]]
        self._own = set(settings["own"])
        self._kinds: dict[str, str] = settings["kinds"]  # by their ports
        self._paths = {self._whole(each, self._app_folder) for each in settings["paths"]}
        self._noted: set[str] = set()
        self._looking: set[int] = set()  # threads

    def begin(self) -> None:
        sys.addaudithook(self._on_event)
        AfterImport(
            {
                "psycopg.generators": self._watch_psycopg,
                "psycopg2": self._watch_psycopg2,
                "MySQLdb.connections": self._watch_mysqldb,
                "mysql.connector.connection_cext": self._watch_connector,
                "uvloop": self._watch_uvloop,
            }
        ).install()

    def file(self, path: Any) -> None:
        """A file of SQLite is to be opened."""
        text = os.fsdecode(path) if isinstance(path, (bytes, os.PathLike)) else path
        if not isinstance(text, str):
            return
        if text.startswith("file:"):
            address = urlsplit(text)
            options = dict(parse_qsl(address.query))
            if options.get("mode") in ("ro", "memory") or options.get("immutable") == "1":
                return
            text = unquote(address.path)
        if text in ("", ":memory:"):
            return
        whole = self._whole(text, os.getcwd())
        if whole in self._paths:
            return
        if self._is_below(whole, [self._home]):
            self._note("inside", f"SQLite at {whole}")
        elif self._is_below(whole, self._folders):
            self._note("own", whole)
        else:
            self._refuse("SQLite", whole, PermissionError)

    def address(self, host: str, port: int, kind: str | None = None) -> None:
        """A host is to be reached. Without a kind it is known by its port, or by who asks for it."""
        place = f"{'127.0.0.1' if _is_here(host) else host.rstrip('.').lower()}:{port}"
        if place in self._own:
            self._note("own", place)
            return
        kind = kind or self._kinds.get(str(port)) or _kind_of_caller()
        if kind is not None and not self._is_named(host, port) and not self._is_ours(host, port):
            self._refuse(kind, place, ConnectionRefusedError)

    def socket_at(self, path: str) -> None:
        """A socket in the file system is to be reached."""
        whole = self._whole(path, os.getcwd())
        if not _SOCKET.search(whole) or self._is_below(whole, self._folders):
            return
        if {whole, os.path.dirname(whole)} & self._paths:
            return
        if os.path.exists(whole):
            self._refuse("Postgres" if "PGSQL" in whole else "a database", whole, ConnectionRefusedError)

    def libpq(self, text: Any, given: dict[str, Any] | None = None) -> None:
        """Postgres' own library connects without Python."""
        parts = libpq_parts(text if isinstance(text, str) else "")
        for name in ("host", "hostaddr", "port"):
            if given and given.get(name) is not None:
                parts[name] = str(given[name])
        hosts = (parts.get("hostaddr") or parts.get("host") or os.environ.get("PGHOST") or "").split(",")
        ports = (parts.get("port") or os.environ.get("PGPORT") or "5432").split(",")
        for index, host in enumerate(hosts):
            port = ports[min(index, len(ports) - 1)] or "5432"
            if not port.isdigit():
                continue
            if host and not host.startswith(("/", "@")):
                self.address(host, int(port), "Postgres")
                continue
            for folder in [host] if host else _OF_POSTGRES:
                self.socket_at(os.path.join(folder, f".s.PGSQL.{port}"))
            if not host:
                self.address("127.0.0.1", int(port), "Postgres")

    def mysql(self, host: Any, port: Any, path: Any) -> None:
        for each in (path,) if path else _OF_MYSQL if host in (None, "", "localhost") else ():
            self.socket_at(str(each))
        if not path:
            self.address(str(host or "127.0.0.1"), int(port or 3306), "MySQL")

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "sqlite3.connect":
            self.file(arguments[0])
        elif event == "socket.connect" and threading.get_ident() not in self._looking:
            address = arguments[1]
            if isinstance(address, tuple) and len(address) in (2, 4) and isinstance(address[1], int):
                self.address(str(address[0]), address[1])
            elif isinstance(address, (str, bytes)) and address:
                self.socket_at(os.fsdecode(address))

    def _is_named(self, host: str, port: int) -> bool:
        """Other machines are named by names, and connected to by addresses."""
        others = (each for each in self._own if not each.startswith("127.0.0.1:"))
        return not _is_here(host) and any(each.endswith(f":{port}") for each in others)

    def _is_ours(self, host: str, port: int) -> bool:
        """True where nobody listens on this machine, or a process of this run does."""
        if not _is_here(host):
            return False
        self._looking.add(threading.get_ident())  # others' connections are judged meanwhile
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            with contextlib.closing(socket.socket(family)) as trial:
                trial.settimeout(0.5)
                code = trial.connect_ex((host, port))
        except OSError as error:
            code = error.errno or 0
        finally:
            self._looking.discard(threading.get_ident())
        if code in _NOBODY:  # in any doubt it is somebody else's
            return True
        return _listens(port)

    def _refuse(self, kind: str, place: str, error: type[OSError]) -> None:
        self._note("refused", f"{kind} at {place}")
        raise error(13, f"the load test refuses {kind} at {place}: it is not of this run")

    def _note(self, kind: str, text: str) -> None:
        note = json.dumps({"kind": kind, "text": text[:_LONGEST]})
        if note in self._noted or len(self._noted) >= _MOST_NOTES:
            return
        self._noted.add(note)
        with contextlib.suppress(OSError):
            path = os.path.join(self._folder, f"note-{os.getpid()}-{os.urandom(4).hex()}.json")
            replace_private(path, note.encode())

    def _whole(self, path: str, folder: str) -> str:
        return os.path.realpath(os.path.join(folder, os.path.expanduser(path)))

    def _is_below(self, path: str, folders: list[str]) -> bool:
        return any(path.startswith(each.rstrip("/") + "/") for each in folders)

    # Drivers in C, and uvloop's connections, are unknown to Python's audit.

    def _watch_psycopg(self, module: ModuleType) -> None:
        _before(module, "connect", lambda conninfo="", *_, **__: self.libpq(conninfo))

    def _watch_psycopg2(self, module: ModuleType) -> None:
        _before(module, "_connect", lambda dsn="", *_, **given: self.libpq(dsn, given))

    def _watch_mysqldb(self, module: ModuleType) -> None:
        def look(_: Any, host: Any = None, *__: Any, **given: Any) -> None:
            self.mysql(given.get("host", host), given.get("port"), given.get("unix_socket"))

        _before(module.Connection, "__init__", look)

    def _watch_connector(self, module: ModuleType) -> None:
        def look(own: Any, *_: Any, **__: Any) -> None:
            self.mysql(own._host, own._port, own._unix_socket)

        _before(module.CMySQLConnection, "_open_connection", look)

    def _watch_uvloop(self, module: ModuleType) -> None:
        def look(_: Any, __: Any, host: Any = None, port: Any = None, *___: Any, **____: Any) -> None:
            if host is not None and str(port).isdigit():
                self.address(str(host), int(port))

        def look_at_file(_: Any, __: Any, path: Any = None, *___: Any, **____: Any) -> None:
            if path is not None:
                self.socket_at(os.fsdecode(path))

        _before(module.Loop, "create_connection", look)
        _before(module.Loop, "create_unix_connection", look_at_file)


def begin() -> None:
    """Called before any other code of the process."""
    path = os.environ.get(VARIABLE)
    if path:
        with open(path, encoding="utf-8") as file:
            Guard(json.load(file), os.path.dirname(path)).begin()


def libpq_parts(text: str) -> dict[str, str]:
    """The parts of a connection string that say where."""
    if not re.match(r"postgres(?:ql)?://", text):
        return {name: value.strip("'") for name, value in re.findall(r"(\w+)\s*=\s*('[^']*'|\S*)", text)}
    address = urlsplit(text)
    places = [each.rpartition(":") for each in address.netloc.rpartition("@")[2].split(",")]
    found = [(host, port) if port.isdigit() else (host + colon + port, "") for host, colon, port in places]
    own = {"host": ",".join(unquote(host.strip("[]")) for host, _ in found)}
    own["port"] = ",".join(port or "5432" for _, port in found)
    return {**{name: each for name, each in own.items() if each.strip(",")}, **dict(parse_qsl(address.query))}


def _before(owner: Any, name: str, look: Callable[..., None]) -> None:
    own = getattr(owner, name)

    @functools.wraps(own)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        look(*args, **kwargs)
        return own(*args, **kwargs)

    setattr(owner, name, wrapper)


def _kind_of_caller() -> str | None:
    """The kind of store whose driver, in Python, is connecting: coroutines that wait for others are callers, too."""
    frame = sys._getframe(1)
    for _ in range(_MOST_FRAMES):
        kind = _DRIVERS.get(frame.f_globals.get("__name__", "").partition(".")[0])
        if kind is not None or frame.f_back is None:
            return kind
        frame = frame.f_back
    return None


def _is_here(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    address = getattr(address, "ipv4_mapped", None) or address
    return address.is_loopback or address.is_unspecified


def _listens(port: int) -> bool:
    """True if a process with the mark of this run listens there."""
    mark = f"LOADTEST_OWNER={os.environ.get('LOADTEST_OWNER')}\0".encode()
    inodes: set[str] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError), open(table, encoding="ascii") as file:
            rows = [line.split() for line in file.readlines()[1:]]
            listening = [row for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port]
            inodes.update(f"socket:[{row[9]}]" for row in listening)
    for pid in os.listdir("/proc") if inodes else []:
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/environ", "rb") as variables:
                if mark not in variables.read():
                    continue
            folder = f"/proc/{pid}/fd"
            for each in os.listdir(folder):
                with contextlib.suppress(OSError):
                    if os.readlink(os.path.join(folder, each)) in inodes:
                        return True
    return False
