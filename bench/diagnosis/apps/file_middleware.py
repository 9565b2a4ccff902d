"""Reads a list of blocked addresses anew for each request, in front of every route."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI, Request, Response

app = FastAPI()
blocked = Path(tempfile.mkdtemp(), "blocked.txt")
blocked.write_text("".join(f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}\n" for n in range(150_000)))


def is_blocked(address: str) -> bool:
    return address in blocked.read_text().splitlines()  # finding: CPU work on the event loop


@app.middleware("http")
async def refuse(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    if is_blocked(request.client.host if request.client else ""):
        return Response(status_code=403)
    return await call_next(request)


@app.get("/")
async def show() -> str:
    return "hello"
