"""Leads whoever asks for a Postgres of any name to ours: suites have addresses of their own, e.g. of a container."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import socket
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_ENCRYPTIONS, _CANCEL = (80877103, 80877104), 80877102
_LONGEST = 1_000_000
_NO_SUCH_DATABASE = b"C3D000\0"
_OF_SUITES = b"loadtest_suites"  # instead of `postgres`, where only a superuser may make tables
_ADDRESS = re.compile(r"\bpostgres\w{0,10}(?:\+\w{1,20})?://[^\s\"'/@]{0,200}@([\w.-]{1,200})(?::(\d{2,5}))?")
_PORTS = (*range(5430, 5440), 15432, 25432, 54320, 54321, 54322, 55432)
_NAMES = ("db", "database", "postgres", "postgresql", "pg", "redis")
_TEXTS = {".cfg", ".env", ".example", ".ini", ".py", ".test", ".toml", ".yaml", ".yml"}
_MOST_FILES, _LARGEST, _MOST_PLACES = 3_000, 300_000, 100


class Account(NamedTuple):
    """The way into our own server."""

    port: int
    user: str
    password: str
    database: str


def account_of(url: str) -> Account:
    parts = urlsplit(url)
    texts = (parts.username, parts.password, parts.path.removeprefix("/"))
    return Account(parts.port or 5432, *(unquote(each or "") for each in texts))


def addresses_in(folder: str) -> tuple[set[int], set[str]]:
    """Ports and hosts at which the files expect a Postgres."""
    ports, hosts = set(_PORTS), set(_NAMES)
    paths = (
        each for each in Path(folder).rglob("*") if each.suffix in _TEXTS or each.name.startswith(".env")
    )
    for _, path in zip(range(_MOST_FILES), paths):
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if max(len(ports), len(hosts)) > _MOST_PLACES:
            break
        for host, port in _ADDRESS.findall(text)[:_MOST_PLACES]:
            hosts.add(host)
            ports.update([int(port)] if port and 1_024 <= int(port) < 65_536 else [])
    return ports, {each for each in hosts if not re.fullmatch(r"localhost|[\d.]+", each)}


def connect(client: socket.socket, account: Account) -> socket.socket:
    """
    A connection to our server that has greeted the client. It is as if the client were our user; the database is ours,
    unless one of the name that it asks for was made. Raises `OSError`.
    """
    code, body = _asked(client)
    if code == _CANCEL:
        server = _dialed(account)
        server.sendall(_packed(code, body))
        return server
    words = body.rstrip(b"\0").split(b"\0")
    asked = dict(zip(words[::2], words[1::2]))
    own = account.database.encode()
    name = asked.get(b"database", own)
    for database in (_OF_SUITES, _OF_SUITES) if name == b"postgres" else (name, own):
        server, kind, first = _entered(account, database, code, asked)
        if kind != b"E" or _NO_SUCH_DATABASE not in first:
            client.sendall(_message_of(b"R", struct.pack("!I", 0)) + _message_of(kind, first))
            return server
        server.close()
        if database == _OF_SUITES:
            _make(account, database)
    raise OSError("no database")


def _dialed(account: Account) -> socket.socket:
    return socket.create_connection(("127.0.0.1", account.port), timeout=10)


def _entered(
    account: Account, database: bytes, code: int, asked: dict[bytes, bytes]
) -> tuple[socket.socket, bytes, bytes]:
    """A session, and the first message in it."""
    server = _dialed(account)
    wanted = {**asked, b"user": account.user.encode(), b"database": database}
    pairs = b"".join(name + b"\0" + value + b"\0" for name, value in wanted.items())
    server.sendall(_packed(code, pairs + b"\0"))
    _log_in(server, account.password)
    return (server, *_message(server))


def _make(account: Account, database: bytes) -> None:
    server, _, _ = _entered(account, account.database.encode(), 3 << 16, {})
    with server:
        _until_ready(server)
        server.sendall(_message_of(b"Q", b"CREATE DATABASE " + database + b"\0"))
        _until_ready(server)


def _until_ready(server: socket.socket) -> None:
    while _message(server)[0] != b"Z":
        continue


def _asked(client: socket.socket) -> tuple[int, bytes]:
    """Code and content of the first packet that is no request for encryption."""
    while True:
        length, code = struct.unpack("!II", _exactly(client, 8))
        body = _exactly(client, length - 8)
        if code not in _ENCRYPTIONS:
            return code, body
        client.sendall(b"N")


def _log_in(server: socket.socket, password: str) -> None:
    """SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding."""
    bare = f"n=,r={secrets.token_urlsafe(18)}"
    while True:
        kind, body = _message(server)
        if kind != b"R":
            raise OSError("the server does not let us in")
        [code] = struct.unpack("!I", body[:4])
        if code == 0:
            return
        if code == 10:
            first = f"n,,{bare}".encode()
            server.sendall(_message_of(b"p", b"SCRAM-SHA-256\0" + struct.pack("!I", len(first)) + first))
        elif code == 11:
            server.sendall(_message_of(b"p", _proof(password, bare, body[4:].decode()).encode()))
        elif code != 12:
            raise OSError(f"the server wants another login ({code})")


def _proof(password: str, bare: str, challenge: str) -> str:
    fields = dict(each.split("=", 1) for each in challenge.split(","))
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(fields["s"]), int(fields["i"]))
    key = hmac.digest(salted, b"Client Key", "sha256")
    last = f"c=biws,r={fields['r']}"
    signed = f"{bare},{challenge},{last}".encode()
    signature = hmac.digest(hashlib.sha256(key).digest(), signed, "sha256")
    proof = bytes(one ^ other for one, other in zip(key, signature))
    return f"{last},p={base64.b64encode(proof).decode()}"


def _packed(code: int, body: bytes) -> bytes:
    return struct.pack("!II", len(body) + 8, code) + body


def _message_of(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def _message(server: socket.socket) -> tuple[bytes, bytes]:
    kind = _exactly(server, 1)
    [length] = struct.unpack("!I", _exactly(server, 4))
    return kind, _exactly(server, length - 4)


def _exactly(source: socket.socket, size: int) -> bytes:
    if not 0 <= size <= _LONGEST:
        raise OSError("no message of Postgres")
    found = b""
    while len(found) < size:
        part = source.recv(size - len(found))
        if not part:
            raise OSError("it ended")
        found += part
    return found


def hosts_text(hosts: Iterable[str]) -> str:
    """For `/etc/hosts`: there is nobody but us."""
    return "".join(f"127.0.0.1 {each}\n" for each in ["localhost", socket.gethostname(), *sorted(hosts)])
