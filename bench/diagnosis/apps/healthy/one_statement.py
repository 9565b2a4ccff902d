"""Asks for orders and items at once."""

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

ITEMS = "SELECT order_id, title, price FROM shop_items WHERE order_id <= 20"


@app.get("/")
async def list_orders() -> list[tuple[object, ...]]:
    async with pool.connection() as connection:
        return await (await connection.execute(ITEMS)).fetchall()
