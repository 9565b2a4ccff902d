"""A lock that is held for a moment."""

import asyncio

from fastapi import FastAPI

app = FastAPI()
lock = asyncio.Lock()
seen = 0


@app.get("/")
async def count() -> int:
    global seen
    async with lock:
        seen += 1
    return seen
