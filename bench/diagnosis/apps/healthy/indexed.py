"""Finds a row of a large table by its key."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=10, max_size=10, open=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/")
async def show_event(number: int = 77) -> list[tuple[object, ...]]:
    async with pool.connection() as connection:
        return await (await connection.execute("SELECT * FROM shop_events WHERE id = %s", (number,))).fetchall()
