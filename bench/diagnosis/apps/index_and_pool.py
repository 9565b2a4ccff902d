"""Looks for events in a table without an index, over two connections: the statement is slow, the pool is its shadow."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=2, max_size=2, open=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)

EVENTS = "SELECT id, kind FROM shop_events WHERE order_id = %s"


@app.get("/")
async def list_events(order: int = 77) -> list[tuple[object, ...]]:
    async with pool.connection() as connection:
        events = await connection.execute(EVENTS, (order,))  # finding: missing index
        return await events.fetchall()
