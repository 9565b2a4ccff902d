"""An app that looks for others. What it looks up is taken for a number, so that nobody has to be asked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

NUMBERS_ONLY = socket.AI_NUMERICHOST


def in_thread() -> None:
    socket.getaddrinfo("thread.example.invalid", 443, flags=NUMBERS_ONLY)


async def app(scope: dict[str, Any], _receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    path, loop = scope["path"], asyncio.get_running_loop()
    with suppress(OSError):
        if path == "/lookup":
            await loop.getaddrinfo("Lookup.Example.invalid.", 443, flags=NUMBERS_ONLY)
        if path == "/connection":
            await loop.create_connection(
                asyncio.Protocol, "connection.example.invalid", 443, flags=NUMBERS_ONLY
            )
        if path == "/thread":
            await loop.run_in_executor(None, in_thread)
        if path == "/inside":
            await loop.getaddrinfo("localhost", 80)
            transport, _ = await loop.create_connection(asyncio.Protocol, *scope["server"])
            transport.close()
            socket.create_connection(scope["server"]).close()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"fine"})
