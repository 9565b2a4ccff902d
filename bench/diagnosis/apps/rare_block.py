"""Blocks for one request in a hundred, and all others wait with it."""

import itertools
import time

from fastapi import FastAPI

app = FastAPI()
numbers = itertools.count(1)


def refresh() -> None:
    time.sleep(0.1)  # finding: blocking call on the event loop


@app.get("/")
async def show() -> str:
    if next(numbers) % 100 == 0:
        refresh()
    return "done"
