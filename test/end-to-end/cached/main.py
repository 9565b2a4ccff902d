"""A price that takes a while to compute and is remembered in Redis."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fastapi import FastAPI
from store import remember

address = urlsplit(os.environ["REDIS_URL"])
connection = socket.create_connection((address.hostname, address.port))
counts = {"asked": 0, "computed": 0}


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield
    print(f"computed {counts['computed']} of {counts['asked']}", flush=True)


app = FastAPI(lifespan=lifespan)


def ask(*words: str) -> bytes:
    parts = [f"${len(word)}\r\n{word}\r\n" for word in words]
    connection.sendall(f"*{len(parts)}\r\n{''.join(parts)}".encode())
    return connection.recv(4096)


def compute() -> int:
    counts["computed"] += 1
    return sum(number * number % 7 for number in range(20_000))


@app.get("/price")
async def price() -> dict[str, int]:
    counts["asked"] += 1
    known = ask("GET", "price")
    if not known.startswith(b"$-1"):
        return {"price": int(known.split(b"\r\n")[1])}
    value = compute()
    remember(ask, value)
    return {"price": value}
