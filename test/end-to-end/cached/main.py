"""A price that takes a while to compute and is remembered in Redis."""

import os
import socket
from urllib.parse import urlsplit

from fastapi import FastAPI
from store import remember

address = urlsplit(os.environ["REDIS_URL"])
connection = socket.create_connection((address.hostname, address.port))
app = FastAPI()


def ask(*words: str) -> bytes:
    parts = [f"${len(word)}\r\n{word}\r\n" for word in words]
    connection.sendall(f"*{len(parts)}\r\n{''.join(parts)}".encode())
    return connection.recv(4096)


def compute() -> int:
    return sum(number * number % 7 for number in range(20_000))


@app.get("/price")
async def price() -> dict[str, int]:
    known = ask("GET", "price")
    if not known.startswith(b"$-1"):
        return {"price": int(known.split(b"\r\n")[1])}
    value = compute()
    remember(ask, value)
    return {"price": value}
