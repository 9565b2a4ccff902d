"""Has one connection for all requests."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=1, open=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/")
async def report() -> str:
    async with pool.connection() as connection:
        await connection.execute("SELECT pg_sleep(0.01)")  # finding: pool too small
        return "done"
