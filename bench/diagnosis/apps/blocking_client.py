"""Asks another service with a client that blocks."""

import os
import urllib.request

from fastapi import FastAPI

app = FastAPI()


def fetch(address: str) -> str:
    with urllib.request.urlopen(address) as reply:  # finding: blocking call on the event loop
        return reply.read().decode()


@app.get("/")
async def show_price() -> dict[str, str]:
    return {"price": fetch(os.environ["FAKE_DB_URL"])}
