"""The app whose speed `bench/verdict` changes by known amounts: `change.py` next to it sets by how much.

Its endpoints differ in what makes measuring hard: who waits for what, what grows, fills or is collected meanwhile.
"""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import change
from fastapi import FastAPI, Request, Response
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

    def inject(self) -> None:
        start = time.thread_time()
        burn(change.EXTRA_LOOPS)
        self.injected_seconds += time.thread_time() - start
        self.requests += 1


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
    burn(BASE_LOOPS)
    request.state.account.inject()
    return {"loops": BASE_LOOPS}


LARGE = json.dumps([{"id": each, "name": f"row {each}"} for each in range(4_000)]).encode()


@app.get("/large")
async def large(request: Request) -> Response:
    """100 kB, which client and server copy."""
    burn(BASE_LOOPS)
    request.state.account.inject()
    return Response(LARGE, media_type="application/json")


@app.get("/pool")
def pool(request: Request) -> dict[str, int]:
    """In a thread of the pool: who runs next is the interpreter's choice."""
    burn(BASE_LOOPS)
    request.state.account.inject()
    return {"loops": BASE_LOOPS}


class Node:
    def __init__(self) -> None:
        self.me = self


HEAP = [[each] for each in range(300_000)]


@app.get("/garbage")
async def garbage(request: Request) -> dict[str, int]:
    """Cycles that only the collector frees, next to a large heap that it goes through now and then."""
    made = [Node() for _ in range(200)]
    burn(BASE_LOOPS // 2)
    request.state.account.inject()
    return {"made": len(made), "kept": len(HEAP)}


GROWN: list[bytes] = []


@app.get("/growing")
async def growing(request: Request) -> dict[str, int]:
    """Each request leaves 4 kB in memory."""
    GROWN.append(bytes(4_096))
    burn(BASE_LOOPS)
    request.state.account.inject()
    return {"kept": len(GROWN)}


CACHE: dict[int, int] = {}


@app.get("/cache")
async def cache(request: Request) -> dict[str, int]:
    """A cache that fills for seconds: what it lacks costs four times as much."""
    account: Account = request.state.account
    key = account.requests % 5_000
    burn(BASE_LOOPS // 4 if key in CACHE else BASE_LOOPS)
    CACHE[key] = key
    account.inject()
    return {"cached": len(CACHE)}


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
