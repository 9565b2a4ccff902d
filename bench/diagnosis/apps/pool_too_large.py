"""Each worker opens as many connections as half of what the database grants, and then some."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=200, max_size=200, open=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/")
async def report() -> str:
    async with pool.connection() as connection:
        await connection.execute("SELECT pg_sleep(1)")
        return "done"
