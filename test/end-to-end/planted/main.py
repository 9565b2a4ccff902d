"""One mistake for each path, none for the last: in words that FastAPI 0.68 and the newest understand alike.

No annotation is newer than Python 3.9, and nothing hangs on an event of the app's start.
"""

import asyncio
import os
import time

import asyncpg
from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import create_engine, text

URL = os.environ["DATABASE_URL"]
ENGINE = create_engine(URL.replace("postgresql:", "postgresql+psycopg2:"), pool_size=2, max_overflow=0)
WIDE_ENGINE = create_engine(URL.replace("postgresql:", "postgresql+psycopg2:"), pool_size=4)
ASKED = text("SELECT :number, pg_sleep(0.001)")
POOLS = {}

app = FastAPI()


@app.get("/ready")
async def ready():
    if "psycopg" not in POOLS:
        POOLS["psycopg"] = None  # one request alone makes them
        POOLS["psycopg"] = await psycopg_pool(2)
        POOLS["wide psycopg"] = await psycopg_pool(4)
        POOLS["asyncpg"] = await asyncpg.create_pool(URL, min_size=2, max_size=2)
        POOLS["wide asyncpg"] = await asyncpg.create_pool(URL, min_size=4, max_size=4)
    return "ready"


async def psycopg_pool(size):
    try:
        pool = AsyncConnectionPool(URL, min_size=size, max_size=size, open=False)
    except TypeError:  # psycopg_pool 3.0 opens by itself
        return AsyncConnectionPool(URL, min_size=size, max_size=size)
    await pool.open()
    return pool


@app.get("/blocked")
async def blocked():
    time.sleep(0.03)  # blocks the loop
    return "done"


@app.get("/cpu")
async def cpu():
    return spin(0.03)


def spin(seconds):
    turns = 0
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        turns += 1
    return turns


@app.get("/n-plus-one")
def n_plus_one():
    with WIDE_ENGINE.connect() as connection:
        for number in range(20):
            connection.execute(ASKED, {"number": number})  # asks psycopg2 again
    return "done"


@app.get("/n-plus-one-psycopg")
async def n_plus_one_psycopg():
    async with POOLS["wide psycopg"].connection() as connection:
        for number in range(20):
            await connection.execute("SELECT %s, pg_sleep(0.001)", (number,))  # asks psycopg again
    return "done"


@app.get("/n-plus-one-asyncpg")
async def n_plus_one_asyncpg():
    async with POOLS["wide asyncpg"].acquire() as connection:
        for number in range(20):
            await connection.fetch("SELECT $1::int, pg_sleep(0.001)", number)  # asks asyncpg again
    return "done"


@app.get("/pool")
def pool():
    with ENGINE.connect() as connection:
        connection.execute(text("SELECT pg_sleep(0.02)"))  # holds a connection of the engine
    return "done"


@app.get("/pool-psycopg")
async def pool_psycopg():
    async with POOLS["psycopg"].connection() as connection:
        await connection.execute("SELECT pg_sleep(0.02)")  # holds a connection of psycopg's pool
    return "done"


@app.get("/pool-asyncpg")
async def pool_asyncpg():
    async with POOLS["asyncpg"].acquire() as connection:
        await connection.fetch("SELECT pg_sleep(0.02)")  # holds a connection of asyncpg's pool
    return "done"


@app.get("/threads")
def threads():
    time.sleep(0.2)  # holds a thread
    return "done"


@app.get("/outside")
async def outside():
    await asyncio.sleep(0.08)  # waits
    return "done"


@app.get("/healthy")
async def healthy():
    async with POOLS["wide asyncpg"].acquire() as connection:
        return await connection.fetchval("SELECT 1")


KEPT = []


@app.get("/kept")
async def kept():
    KEPT.append(bytes(5_000))  # keeps memory
    return len(KEPT)
