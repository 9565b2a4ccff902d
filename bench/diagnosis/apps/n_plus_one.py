"""Asks for each order's items by a statement of its own."""

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

ITEMS = "SELECT title, price FROM shop_items WHERE order_id = %s"


@app.get("/")
async def list_orders() -> list[list[object]]:
    answer: list[list[object]] = []
    async with pool.connection() as connection:
        orders = await (await connection.execute("SELECT id FROM shop_orders WHERE id <= 20")).fetchall()
        for (order,) in orders:
            items = await connection.execute(ITEMS, (order,))  # finding: repeated query
            answer.append([order, *await items.fetchall()])
    return answer
