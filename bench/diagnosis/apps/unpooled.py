"""Connects to the database for each request."""

import os

import psycopg
from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def count_orders() -> int:
    async with await psycopg.AsyncConnection.connect(os.environ["DATABASE_URL"]) as connection:  # finding: unpooled connections
        row = await (await connection.execute("SELECT count(*) FROM shop_orders WHERE id < 10")).fetchone()
        return int(row[0]) if row else 0
