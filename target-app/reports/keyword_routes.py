"""What the keyword `async` does to a route that waits twice for 3 s (the report on one keyword).

A path per variant, where the report puts one after the other at `/`. `seconds` shortens the waits.
"""

import asyncio
import time
from typing import Annotated

from fastapi import FastAPI, Query
from fastapi.concurrency import run_in_threadpool

app = FastAPI(title="One keyword")

Seconds = Annotated[float, Query(ge=0, le=60)]
Message = dict[str, str]

GREETING = {"message": "Hello World"}


def wait_sync(seconds: float) -> Message:
    time.sleep(seconds)
    return GREETING


async def wait_async(seconds: float) -> Message:
    await asyncio.sleep(seconds)
    return GREETING


# response_model=None, as published: to check a reply against a model, FastAPI takes another thread of the
# pool in a `def` route, behind all requests that still wait for their first.
@app.get("/sync", response_model=None)
def greet_sync() -> Message:
    return GREETING


@app.get("/async", response_model=None)
async def greet_async() -> Message:
    return GREETING


@app.get("/sync-blocking", response_model=None)
def block_a_thread(seconds: Seconds = 3) -> Message:
    """Holds one thread of the pool for both waits: 40 requests at a time in each worker."""
    wait_sync(seconds)
    return wait_sync(seconds)


@app.get("/async-blocking", response_model=None)
async def block_the_event_loop(seconds: Seconds = 3) -> Message:
    """The mistake that the report is about: one request at a time in each worker."""
    wait_sync(seconds)
    return wait_sync(seconds)


@app.get("/async-await", response_model=None)
async def block_nothing(seconds: Seconds = 3) -> Message:
    await wait_async(seconds)
    return await wait_async(seconds)


@app.get("/async-threadpool-mix", response_model=None)
async def block_a_thread_then_nothing(seconds: Seconds = 3) -> Message:
    """The report's way out where code has to block: half of the wait in a thread, half without one."""
    await run_in_threadpool(wait_sync, seconds)
    return await wait_async(seconds)
