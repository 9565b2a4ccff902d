"""Holds a connection while it waits for something else."""

import os

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

url = os.environ["DATABASE_URL"].replace("postgresql:", "postgresql+asyncpg:")
engine = create_async_engine(url, pool_size=5, max_overflow=0)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


@app.get("/")
async def order() -> str:
    async with engine.connect() as connection:
        await connection.execute(text("SELECT 1"))  # finding: pool too small
        await asyncio.sleep(0.03)  # a payment service, with the connection in hand
        return "done"
