"""asyncpg: statements of a connection and of a prepared statement, connections, pools."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.patches.async_query import patch_async_query
from loadtest_probe.pool_use import PoolUse, gave_back, note_makers
from loadtest_probe.probe import Probe


def patch_connection(probe: Probe, module: ModuleType) -> None:
    for name in ("execute", "executemany", "fetch", "fetchval", "fetchrow", "fetchmany"):
        if hasattr(module.Connection, name):
            patch_async_query(probe, module.Connection, name)
    connect = module.connect

    @functools.wraps(connect)
    async def connect_watched(*args: Any, **kwargs: Any) -> Any:
        return await probe.statements.connect_async(lambda: connect(*args, **kwargs))

    module.__dict__["connect"] = connect_watched


def patch_prepared(probe: Probe, module: ModuleType) -> None:
    for name in ("executemany", "fetch", "fetchval", "fetchrow", "fetchmany"):
        if hasattr(module.PreparedStatement, name):
            _patch_prepared(probe, module.PreparedStatement, name)


def _patch_prepared(probe: Probe, prepared: Any, name: str) -> None:
    original = getattr(prepared, name)
    statements = probe.statements

    @functools.wraps(original)
    async def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        mark = statements.begin()
        try:
            return await original(self, *args, **kwargs)
        finally:
            if mark is not None:
                statements.end(mark, self._query)

    setattr(prepared, name, watched)


def _sizes(pool: Any) -> tuple[int, int, int]:
    return int(pool.get_min_size()), int(pool.get_max_size()), int(pool.get_size())


def patch_pool(probe: Probe, module: ModuleType) -> None:
    pool = module.Pool
    note_makers(probe, pool)
    take, give = pool._acquire, pool.release

    @functools.wraps(take)
    async def take_watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        use = PoolUse(probe, self, "asyncpg.Pool", _sizes)
        try:
            connection = await take(self, *args, **kwargs)
        except BaseException:
            use.failed()
            raise
        use.took(connection)
        return connection

    @functools.wraps(give)
    async def give_watched(self: Any, connection: Any, *args: Any, **kwargs: Any) -> Any:
        gave_back(probe, self, "asyncpg.Pool", _sizes, connection)
        return await give(self, connection, *args, **kwargs)

    pool._acquire = take_watched
    pool.release = give_watched
