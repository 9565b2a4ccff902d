from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from fastapi import FastAPI

from tracker import settings


@asynccontextmanager
async def connection() -> AsyncIterator[psycopg.AsyncConnection]:
    opened = await psycopg.AsyncConnection.connect(
        host=settings.POSTGRES_HOST,
        port=settings.POSTGRES_PORT,
        user=settings.POSTGRES_USER,
        password=settings.POSTGRES_PASSWORD,
        dbname=settings.POSTGRES_DB,
    )
    async with opened:
        yield opened


app = FastAPI()


@app.get("/issues/open")
async def count_open() -> dict[str, int]:
    async with connection() as opened:
        found = await opened.execute("SELECT count(*) FROM issue WHERE NOT is_closed")
        row = await found.fetchone()
    return {"open": row[0] if row else 0}
