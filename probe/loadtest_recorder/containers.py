"""Stand-ins for containers that suites start: our servers are there already, at the usual ports."""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

_HOST = "127.0.0.1"


def stand_in() -> None:
    for module, replace in (
        ("testcontainers.core.container", _testcontainers),
        ("pytest_docker.plugin", _pytest_docker),
    ):
        # One of them may be of another version, or lack what it needs itself.
        with contextlib.suppress(ImportError, AttributeError):
            replace(importlib.import_module(module))


def _pytest_docker(plugin: Any) -> None:
    def execute(_: Any, command: str, *__: Any, **___: Any) -> bytes:
        first, *words = command.split()
        return f"{_HOST}:{words[-1]}".encode() if first == "port" else b""

    plugin.DockerComposeExecutor.execute = execute
    plugin.get_docker_ip = lambda: _HOST


def _testcontainers(core: Any) -> None:
    class NoDocker:
        """Instead of a client of Docker."""

        def __init__(self, *_: Any, **__: Any) -> None:
            pass

    def start(self: Any) -> Any:
        self._container = self  # a sign that the container runs
        return self

    core.DockerClient = NoDocker
    container = core.DockerContainer
    container.start = container.__enter__ = start
    container.stop = lambda *_, **__: None
    container.__exit__ = lambda *_: None
    container.get_container_host_ip = lambda _: _HOST
    container.get_exposed_port = lambda _, port: int(str(port).partition("/")[0])
    container.exec = lambda *_, **__: (0, b"")
    for place in ("generic.DbContainer", "postgres.PostgresContainer", "redis.RedisContainer"):
        module, name = place.split(".")
        parent = "testcontainers.core" if module == "generic" else "testcontainers"
        try:
            kind = getattr(importlib.import_module(f"{parent}.{module}"), name)
        except (ImportError, AttributeError):
            continue
        kind.start = kind.__enter__ = start
        kind._connect = lambda *_, **__: None
