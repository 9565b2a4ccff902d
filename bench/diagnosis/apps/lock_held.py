"""One request at a time: each holds the lock while it waits."""

import asyncio

from fastapi import FastAPI

app = FastAPI()
lock = asyncio.Lock()


@app.get("/")
async def book() -> str:
    async with lock:  # finding: waiting, not computing
        await asyncio.sleep(0.02)
        return "done"
