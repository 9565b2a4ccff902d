"""A server that answers well until its time comes, and then in a broken way. python broken_app.py PORT MODE SECONDS"""

import asyncio
import sys
import time

port, mode, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
breaks_at = time.monotonic() + seconds
good = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
broken = {
    "101": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "silent": b"",
    "half": head + b"Content-Length: 1000\r\n\r\n{",
    "nonsense": b"\x16\x03\x01 nonsense\r\n\r\n" * 20,
    "ended": head + b"Content-Length: 1000\r\n\r\n{",
    "flood": b"",
    "endless": head + b"Transfer-Encoding: chunked\r\n\r\n" + b"4000\r\n" + b"x" * 0x4000 + b"\r\n",
}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readuntil(b"\r\n\r\n"):
            if time.monotonic() < breaks_at:
                writer.write(good)
                continue
            writer.write(broken[mode])
            await writer.drain()
            while mode == "endless":
                writer.write(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
            while mode == "flood":  # and no reply
                sys.stdout.write("flood\n" * 10_000)
            if mode in ("ended", "nonsense"):
                break
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass
    writer.close()


async def main() -> None:
    async with await asyncio.start_server(serve, "127.0.0.1", port) as server:
        await server.serve_forever()


asyncio.run(main())
