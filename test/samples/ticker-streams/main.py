from collections.abc import AsyncIterator

import httpx
from fastapi import FastAPI, HTTPException, WebSocket
from fastapi.responses import StreamingResponse
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    rates_api_url: str = "https://rates.example.invalid/v1"


settings = Settings()
app = FastAPI()


async def events(count: int) -> AsyncIterator[str]:
    for number in range(count):
        yield f"data: {number}\n\n"


@app.get("/ticks")
async def ticks(count: int = 5) -> StreamingResponse:
    return StreamingResponse(events(count), media_type="text/event-stream")


@app.get("/rates")
async def rates() -> dict[str, float]:
    """Asks somebody else, who cannot be reached where this is tried."""
    try:
        async with httpx.AsyncClient(
            base_url=settings.rates_api_url, timeout=2
        ) as client:
            reply = await client.get("/latest")
            return reply.json()
    except httpx.HTTPError as error:
        raise HTTPException(502, "no rates") from error


@app.websocket("/echo")
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


@app.websocket("/orders")
async def orders(socket: WebSocket) -> None:
    """Answers orders alone."""
    await socket.accept()
    while True:
        order = await socket.receive_json()
        await socket.send_json({"accepted": order["id"]})
