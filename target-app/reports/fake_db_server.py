"""The fake database of the WSGI and ASGI apps: random data after a set time, however many ask at once.

    python -m reports.fake_db_server --sleep 25 --port 9000

It has to be quicker than what is measured, so it knows just enough of HTTP/1.1: requests without a body, on
kept or closed connections. Each reply waits on a timer of its own, so waits never queue.
"""

import argparse
import asyncio
import contextlib
import secrets
from typing import cast

HOST = "127.0.0.1"


class Conversation(asyncio.Protocol):
    """One connection of a client."""

    def __init__(self, sleep_seconds: float) -> None:
        self.sleep_seconds = sleep_seconds
        self.unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *heads, self.unread = (self.unread + data).split(b"\r\n\r\n")
        for head in heads:
            asyncio.get_running_loop().call_later(self.sleep_seconds, self.reply, is_last(head))

    def reply(self, last: bool) -> None:
        if self.transport.is_closing():
            return  # the client did not wait
        self.transport.write(render_reply(secrets.token_hex(16), last))
        if last:
            self.transport.close()


def is_last(head: bytes) -> bool:
    """Whether the client wants the connection closed after the reply, as urllib does."""
    request_line, _, headers = head.partition(b"\r\n")
    return request_line.endswith(b"HTTP/1.0") or b"connection: close" in headers.lower()


def render_reply(data: str, last: bool) -> bytes:
    lines = [
        "HTTP/1.1 200 OK",
        "Content-Type: text/plain",
        f"Content-Length: {len(data)}",
        f"Connection: {'close' if last else 'keep-alive'}",
        "",
        data,
    ]
    return "\r\n".join(lines).encode()


async def serve(sleep_ms: float, port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Conversation(sleep_ms / 1000), HOST, port, backlog=1024)
    [listener] = server.sockets
    print(f"http://{HOST}:{listener.getsockname()[1]} answers after {sleep_ms:g} ms", flush=True)
    await server.serve_forever()


def milliseconds(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 60_000:
        raise argparse.ArgumentTypeError(f"must be from 0 to 60000 ms, it is {text}")
    return value


def main() -> None:
    parser = argparse.ArgumentParser(prog="fake_db_server")
    parser.add_argument("--sleep", metavar="MS", type=milliseconds, default=0, help="wait before each reply")
    parser.add_argument("--port", type=int, default=9000, help="0 takes one that is free")
    options = parser.parse_args()
    try:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(options.sleep, options.port))
    except (OSError, OverflowError) as error:
        raise SystemExit(f"fake_db_server: cannot listen on port {options.port}: {error}") from None


if __name__ == "__main__":
    main()
