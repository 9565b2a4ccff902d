"""The two connection pools: opened when a worker starts, closed when it stops."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, HTTPException, Query, Request
from psycopg import AsyncConnection, Connection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from app.settings import Settings


@dataclass(frozen=True)
class Pools:
    """Equal in size, so that sync and async endpoints differ only in style."""

    sync: ConnectionPool[Connection[TupleRow]]
    asynchronous: AsyncConnectionPool[AsyncConnection[TupleRow]]


@asynccontextmanager
async def open_pools(settings: Settings) -> AsyncIterator[Pools | None]:
    """Yield filled pools, or None without a database URL; fail when the server does not answer in time."""
    if settings.database_url is None:
        yield None
        return
    url, size, timeout = str(settings.database_url), settings.pool_size, settings.pool_timeout_seconds
    with ConnectionPool(url, min_size=size, max_size=size, timeout=timeout, open=False) as sync_pool:
        async with AsyncConnectionPool(
            url, min_size=size, max_size=size, timeout=timeout, open=False
        ) as async_pool:
            await async_pool.wait(settings.start_timeout_seconds)
            sync_pool.wait(settings.start_timeout_seconds)
            yield Pools(sync_pool, async_pool)


async def get_pools(request: Request) -> Pools:
    pools: Pools | None = request.state.pools
    if pools is None:
        raise HTTPException(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "this endpoint needs the database: start the app with DATABASE_URL=postgresql://...",
        )
    return pools


CurrentPools = Annotated[Pools, Depends(get_pools)]

# Any id that fits the column is allowed; Postgres compares larger ones as NUMERIC, without the index.
UserId = Annotated[int, Query(ge=-(2**63), lt=2**63)]
