"""A small shop: the app of a pull request that makes two of its three endpoints slower."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from psycopg_pool import AsyncConnectionPool

import prices
from orders import read_orders


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, object]]:
    async with AsyncConnectionPool(os.environ["DATABASE_URL"], min_size=8, max_size=8, open=False) as pool:
        await pool.wait()
        yield {"pool": pool}


app = FastAPI(lifespan=lifespan)


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/orders")
async def orders(request: Request) -> list[dict[str, object]]:
    async with request.state.pool.connection() as connection:
        return await read_orders(connection)


@app.get("/price")
async def price() -> dict[str, int]:
    return {"price": prices.compute(prices.STEPS)}


@app.get("/tax")
async def tax() -> dict[str, int]:
    return {"tax": prices.compute(20_000)}
