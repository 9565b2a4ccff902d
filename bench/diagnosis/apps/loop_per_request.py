"""Calls async code from a plain function, by a new loop each time."""

import asyncio

from fastapi import FastAPI

app = FastAPI()


async def price() -> int:
    await asyncio.sleep(0.05)
    return 7


@app.get("/")
def show_price() -> int:
    return asyncio.run(price())  # finding: event loop per request
