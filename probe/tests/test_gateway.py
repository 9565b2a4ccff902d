"""Databases and containers that a repository's tests expect, and find."""

from __future__ import annotations

import os
from pathlib import Path

from loadtest_recorder.gateway import account_of
from tests.recordings import recorded, wiped_by

DATABASES = """
import asyncio, asyncpg, psycopg, pytest

def test_psycopg():
    for address in ("postgresql://their:word@db:5433/theirs", "postgresql://localhost/postgres"):
        with psycopg.connect(address) as opened:
            [(name, user)] = opened.execute("SELECT current_database(), current_user").fetchall()
            assert (name, user) == (NAMES[address.rpartition("/")[2]], USER)
            opened.execute("CREATE TABLE things (a int)")
            opened.rollback()

def test_asyncpg():
    async def ask():
        opened = await asyncpg.connect("postgresql://a:b@store.internal:5432/c")
        try:
            return await opened.fetchval("SELECT current_database()")
        finally:
            await opened.close()
    assert asyncio.run(ask()) == NAMES["theirs"]

def test_cancelled():
    with psycopg.connect("postgresql://their:word@db/theirs") as opened:
        opened.execute("SET statement_timeout = 9000")
        import threading
        threading.Timer(0.3, opened.cancel).start()
        with pytest.raises(psycopg.errors.QueryCanceled):
            opened.execute("SELECT pg_sleep(8)")

def test_other_words():
    import socket
    with socket.create_connection(("127.0.0.1", 5432), 5) as found:
        found.sendall(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
        try:
            said = found.recv(9)
        except ConnectionResetError:
            said = b""
        assert said == b""
"""


def test_every_address_of_a_postgres_leads_to_ours(tmp_path: Path) -> None:
    url = os.environ["DATABASE_URL"]
    own = account_of(url)
    names = {"theirs": own.database, "postgres": "loadtest_suites"}
    notes = wiped_by(tmp_path, f"NAMES, USER = {names!r}, {own.user!r}\n{DATABASES}", {}, url)
    if any(each["kind"] == "refused" for each in notes):
        return  # a machine without namespaces runs nothing
    [*_, outcome, _] = notes
    assert (outcome["passed"], outcome["first"]) == (4, "")


CONTAINERS = {
    "testcontainers/core/container.py": """
class DockerClient:
    def __init__(self): raise OSError("no Docker")
class DockerContainer:
    def __init__(self, image): self._docker = DockerClient()
    def __enter__(self): return self.start()
    def __exit__(self, *error): self.stop()
    def start(self): self._docker.run()
    def stop(self): self._docker.remove()
    def get_exposed_port(self, port): return self._docker.port(port)
    def get_container_host_ip(self): return self._docker.host()
""",
    "testcontainers/core/generic.py": """
from testcontainers.core.container import DockerContainer
class DbContainer(DockerContainer):
    def start(self): super().start(); self._connect()
    def _connect(self): raise OSError("not ready")
""",
    "testcontainers/postgres.py": """
from testcontainers.core.generic import DbContainer
class PostgresContainer(DbContainer):
    def start(self): raise OSError("no Docker")
""",
    "pytest_docker/plugin.py": """
class DockerComposeExecutor:
    def execute(self, subcommand): raise OSError("no Docker")
def get_docker_ip(): raise OSError("no Docker")
""",
    "test_a.py": """
from pytest_docker.plugin import DockerComposeExecutor, get_docker_ip
from testcontainers.postgres import PostgresContainer

def test_containers():
    with PostgresContainer("postgres:16") as found:
        assert (found.get_container_host_ip(), found.get_exposed_port("5432/tcp")) == ("127.0.0.1", 5432)

def test_compose():
    assert DockerComposeExecutor().execute("up --build --wait") == b""
    assert DockerComposeExecutor().execute("port db 5432") == b"127.0.0.1:5432"
    assert get_docker_ip() == "127.0.0.1"
""",
}


def test_containers_are_there_already(tmp_path: Path) -> None:
    [*_, outcome, _] = recorded(tmp_path, CONTAINERS)
    assert (outcome["passed"], outcome["first"]) == (2, "")
