"""Makes an HTTP client for each request: it reads all certificates, every time."""

import os

import httpx2
from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def show_price() -> dict[str, str]:
    async with httpx2.AsyncClient() as client:  # finding: CPU work on the event loop
        reply = await client.get(os.environ["FAKE_DB_URL"])
        return {"price": reply.text}
