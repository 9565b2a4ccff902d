"""A middleware that blocks, in front of all routes."""

import time
from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response

app = FastAPI()


@app.middleware("http")
async def log(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    time.sleep(0.03)  # finding: blocking call on the event loop
    return await call_next(request)


@app.get("/")
async def show() -> str:
    return "done"
