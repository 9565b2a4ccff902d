"""psycopg's pools, sync and async."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.pool_use import PoolUse, gave_back, note_makers
from loadtest_probe.probe import Probe


def _sizes(pool: Any) -> tuple[int, int, int]:
    stats = pool.get_stats()
    return int(stats.get("pool_min", 0)), int(stats.get("pool_max", 0)), int(stats.get("pool_size", 0))


def _kind(pool: Any) -> str:
    return f"psycopg_pool.{type(pool).__name__}"


def patch(probe: Probe, module: ModuleType) -> None:
    pool = module.ConnectionPool
    note_makers(probe, pool)
    take, give = pool.getconn, pool.putconn

    @functools.wraps(take)
    def take_watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        use = PoolUse(probe, self, _kind(self), _sizes)
        try:
            connection = take(self, *args, **kwargs)
        except BaseException:
            use.failed()
            raise
        use.took(connection)
        return connection

    @functools.wraps(give)
    def give_watched(self: Any, conn: Any, *args: Any, **kwargs: Any) -> Any:
        gave_back(probe, self, _kind(self), _sizes, conn)
        return give(self, conn, *args, **kwargs)

    pool.getconn = take_watched
    pool.putconn = give_watched


def patch_async(probe: Probe, module: ModuleType) -> None:
    pool = module.AsyncConnectionPool
    note_makers(probe, pool)
    take, give = pool.getconn, pool.putconn

    @functools.wraps(take)
    async def take_watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        use = PoolUse(probe, self, _kind(self), _sizes)
        try:
            connection = await take(self, *args, **kwargs)
        except BaseException:
            use.failed()
            raise
        use.took(connection)
        return connection

    @functools.wraps(give)
    async def give_watched(self: Any, conn: Any, *args: Any, **kwargs: Any) -> Any:
        gave_back(probe, self, _kind(self), _sizes, conn)
        return await give(self, conn, *args, **kwargs)

    pool.getconn = take_watched
    pool.putconn = give_watched
