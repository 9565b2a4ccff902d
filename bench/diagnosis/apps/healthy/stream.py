"""Sends its reply in pieces."""

from collections.abc import AsyncIterator

from fastapi import FastAPI
from fastapi.responses import StreamingResponse

app = FastAPI()


async def lines() -> AsyncIterator[str]:
    for number in range(20):
        yield f"line {number}\n"


@app.get("/")
async def show() -> StreamingResponse:
    return StreamingResponse(lines(), media_type="text/plain")
