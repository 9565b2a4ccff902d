"""Starts threads for each request."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def wait() -> str:
    with ThreadPoolExecutor(max_workers=1) as executor:  # finding: executor per request
        await asyncio.get_running_loop().run_in_executor(executor, time.sleep, 0.01)
    return "done"
