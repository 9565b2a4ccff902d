"""Waits for another service, as it should; there is nothing to mend here but that service."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from httpcore2 import AsyncConnectionPool

pool = AsyncConnectionPool(max_connections=None)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)


@app.get("/")
async def show_price() -> str:
    reply = await pool.request("GET", os.environ["FAKE_DB_URL"])  # finding: waiting, not computing
    return reply.content.decode()
