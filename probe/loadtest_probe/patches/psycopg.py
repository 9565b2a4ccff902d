"""psycopg 3: cursors and connections, sync and async. Pools and subclasses inherit from these."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.patches.async_query import patch_async_query
from loadtest_probe.probe import Probe


def patch_cursor(probe: Probe, module: ModuleType) -> None:
    for name in ("execute", "executemany"):
        _patch(probe, module.Cursor, name)


def patch_async_cursor(probe: Probe, module: ModuleType) -> None:
    for name in ("execute", "executemany"):
        patch_async_query(probe, module.AsyncCursor, name)


def _patch(probe: Probe, cursor: Any, name: str) -> None:
    original = getattr(cursor, name)

    @functools.wraps(original)
    def watched(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        return probe.statements.run(query, lambda: original(self, query, *args, **kwargs))

    setattr(cursor, name, watched)


def patch_connection(probe: Probe, module: ModuleType) -> None:
    connection = module.Connection
    original = connection.__dict__["connect"].__func__

    @functools.wraps(original)
    def connect(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return probe.statements.connect(lambda: original(cls, *args, **kwargs))

    connection.connect = classmethod(connect)


def patch_async_connection(probe: Probe, module: ModuleType) -> None:
    connection = module.AsyncConnection
    original = connection.__dict__["connect"].__func__

    @functools.wraps(original)
    async def connect(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return await probe.statements.connect_async(lambda: original(cls, *args, **kwargs))

    connection.connect = classmethod(connect)
