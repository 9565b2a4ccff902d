"""Three waits of 5 s each: sync, async one after the other, and async at once (Junge's report).

It shows what `async` alone brings (the threads of the pool no longer limit how many wait) and what only
concurrency within a request brings (5 s instead of 15). `seconds` shortens the waits; a body names the
results in the order in which they came.
"""

import asyncio
import time
from typing import Annotated

from fastapi import FastAPI, Query

app = FastAPI(title="Three waits")

Seconds = Annotated[float, Query(ge=0, le=60)]
Message = dict[str, str]

NAMES = ("first", "second", "third")


def wait_sync(name: str, seconds: float) -> str:
    time.sleep(seconds)
    return name


async def wait_async(name: str, seconds: float) -> str:
    await asyncio.sleep(seconds)
    return name


def answer(results: list[str]) -> Message:
    return {"message": ", ".join(results)}


# response_model=None, as published: to check a reply against a model, FastAPI takes another thread of the
# pool in a `def` route, behind all requests that still wait for their first.
@app.get("/sync_baseline", response_model=None)
def wait_in_a_thread(seconds: Seconds = 5) -> Message:
    return answer([wait_sync(name, seconds) for name in NAMES])


@app.get("/async_independent", response_model=None)
async def wait_in_turn(seconds: Seconds = 5) -> Message:
    return answer([await wait_async(name, seconds) for name in NAMES])


@app.get("/async_dependent", response_model=None)
async def wait_for_the_last_result(seconds: Seconds = 5) -> Message:
    """Each wait takes what the one before it gave, so they cannot run at once."""
    result = ""
    for name in NAMES:
        result = await wait_async(f"{result}, {name}" if result else name, seconds)
    return answer([result])


@app.get("/async_concurrent", response_model=None)
async def wait_at_once(seconds: Seconds = 5) -> Message:
    return answer(await asyncio.gather(*(wait_async(name, seconds) for name in NAMES)))


@app.get("/async_as_completed", response_model=None)
async def wait_at_once_for_any(seconds: Seconds = 5) -> Message:
    """Named in the report, but not measured: results are taken as they come, in any order."""
    waits = [wait_async(name, seconds) for name in NAMES]
    return answer([await result for result in asyncio.as_completed(waits)])
