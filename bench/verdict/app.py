"""The app whose speed `bench/verdict` changes by known amounts: `change.py` beside it says by how much."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import change
from fastapi import FastAPI, Request
from psycopg_pool import AsyncConnectionPool

# A usual endpoint: about half a millisecond of its own.
BASE_LOOPS = 20_000


class Account:
    """CPU time of the injected loops, as the thread's own clock counts it: the true size of the change.

    The base counts its empty loop in the same way, so that what counting itself costs can be taken off.
    """

    def __init__(self) -> None:
        self.requests = 0
        self.injected_seconds = 0.0


def burn(loops: int) -> None:
    # Small integers are kept ready by Python and cost less: all loops count from where they are not.
    for _ in range(1_000, 1_000 + loops):
        pass


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, object]]:
    account = Account()
    url = os.environ.get("DATABASE_URL")
    pool = AsyncConnectionPool(url, min_size=8, max_size=8, open=False) if url else None
    if pool:
        await pool.open(wait=True)
    yield {"account": account, "pool": pool}
    if pool:
        await pool.close()
    if path := os.environ.get("CHANGE_LOG"):
        row = [change.ARM, account.requests, account.injected_seconds]
        with open(path, "a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")


app = FastAPI(lifespan=lifespan)


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/cpu")
async def cpu(request: Request) -> dict[str, int]:
    account: Account = request.state.account
    burn(BASE_LOOPS)
    start = time.thread_time()
    burn(change.EXTRA_LOOPS)
    account.injected_seconds += time.thread_time() - start
    account.requests += 1
    return {"loops": BASE_LOOPS}


@app.get("/database")
async def database(request: Request) -> dict[str, int]:
    pool: AsyncConnectionPool = request.state.pool
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT count(*) FROM generate_series(1, %s)", [change.DATABASE_ROWS]
        )
        row = await cursor.fetchone()
    return {"rows": row[0] if row else 0}


@app.get("/wait")
async def wait() -> dict[str, float]:
    await asyncio.sleep(change.WAIT_SECONDS)
    return {"seconds": change.WAIT_SECONDS}
