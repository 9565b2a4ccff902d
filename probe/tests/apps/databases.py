"""What is done to databases, through each driver."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import psycopg
import psycopg2
from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from sqlalchemy import NullPool, create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

URL = os.environ["DATABASE_URL"]
CAST = text("SELECT CAST(:number AS int)")

small = AsyncConnectionPool(URL, min_size=2, max_size=2, open=False)
sync_pool = ConnectionPool(URL, min_size=2, max_size=2, open=False)
sync_engine = create_engine(URL.replace("postgresql:", "postgresql+psycopg2:"), pool_size=2, max_overflow=0)
unpooled_engine = create_engine(URL.replace("postgresql:", "postgresql+psycopg2:"), poolclass=NullPool)
psycopg_engine = create_engine(URL.replace("postgresql:", "postgresql+psycopg:"), pool_size=4)
async_engine = create_async_engine(URL.replace("postgresql:", "postgresql+asyncpg:"), pool_size=4)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    sync_pool.open()
    await small.open()
    app.state.asyncpg = await asyncpg.create_pool(URL, min_size=2, max_size=2)
    yield


app = FastAPI(lifespan=lifespan)


@app.get("/n-plus-one")
async def n_plus_one() -> None:
    async with small.connection() as connection:
        for number in range(10):
            await connection.execute(f"SELECT {number}, 'x' -- one of many")  # asks again


@app.get("/orm-n-plus-one")
def orm_n_plus_one() -> None:
    with sync_engine.connect() as connection:
        for number in range(10):
            connection.execute(text("SELECT :number"), {"number": number})  # asks psycopg2 again


@app.get("/orm-async")
async def orm_async() -> None:
    async with async_engine.connect() as connection:
        for number in range(10):
            await connection.execute(CAST, {"number": number})  # asks asyncpg again


@app.get("/orm-psycopg")
def orm_psycopg() -> None:
    with psycopg_engine.connect() as connection:
        connection.execute(text("SELECT 1, 2"))  # asks psycopg once


@app.get("/asyncpg")
async def with_asyncpg() -> None:
    async with app.state.asyncpg.acquire() as connection:
        await connection.fetch("SELECT pg_sleep(0.02), $1::int", 5)  # waits in asyncpg


@app.get("/psycopg2")
def with_psycopg2() -> None:
    connection = psycopg2.connect(URL)  # connects each time
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", (1,))
        cursor.execute("SELECT %s", (2,))
    connection.close()


@app.get("/small-pool")
async def small_pool() -> None:
    async with small.connection() as connection:
        await connection.execute("SELECT pg_sleep(0.02)")  # waits


@app.get("/small-sync-pool")
def small_sync_pool() -> None:
    with sync_pool.connection() as connection:
        connection.execute("SELECT pg_sleep(0.02)")


@app.get("/small-engine")
def small_engine() -> None:
    with sync_engine.connect() as connection:
        connection.execute(text("SELECT pg_sleep(0.02)"))


@app.get("/unpooled")
async def unpooled() -> None:
    connection = await psycopg.AsyncConnection.connect(URL)  # connects
    await connection.execute("SELECT 1")
    await connection.close()


@app.get("/pool-per-request")
def pool_per_request() -> None:
    with ConnectionPool(URL, min_size=1, max_size=1) as own, own.connection() as connection:  # makes a pool
        connection.execute("SELECT 1")


@app.get("/orm-unpooled")
def orm_unpooled() -> None:
    with unpooled_engine.connect() as connection:  # connects by the engine
        connection.execute(text("SELECT 1"))


@app.get("/healthy")
async def healthy() -> None:
    async with small.connection() as connection:
        await connection.execute("SELECT 1")
    await asyncio.sleep(0.001)
