"""An app that streams, talks through a WebSocket, and asks a service outside."""

import asyncio
import os
import urllib.request
from collections.abc import AsyncIterator

from fastapi import FastAPI, WebSocket
from fastapi.responses import StreamingResponse

from pace import FIRST_SECONDS, TIMES

app = FastAPI()


async def numbers() -> AsyncIterator[str]:
    await asyncio.sleep(FIRST_SECONDS)
    for number in range(5):
        yield f"data: {number}\n\n"
        await asyncio.sleep(0.002)


@app.get("/events")
async def events() -> StreamingResponse:
    return StreamingResponse(numbers(), media_type="text/event-stream")


@app.websocket("/chat")
async def chat(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await asyncio.sleep(FIRST_SECONDS)
        await socket.send_text("thinking")
        await socket.send_text(f"{text}: done")


@app.get("/price")
def price() -> dict[str, int]:
    prices = []
    for _ in range(TIMES):
        with urllib.request.urlopen(f"{os.environ['PRICES_URL']}/prices/7") as reply:  # noqa: S310 - a stub's own address
            prices.append(len(reply.read()))
    return {"price": prices[0]}
