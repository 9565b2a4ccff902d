"""A WSGI app without a framework."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

StartResponse = Callable[..., Any]


def app(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    path = environ["PATH_INFO"]
    if path == "/stream":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return (part for part in (b"one, ", b"two"))
    body = answers.get(path)
    if body is None:
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"not found"]
    text = body()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(text)))])
    return [text]


def slow() -> bytes:
    time.sleep(0.05)
    return b"slow"


def busy() -> bytes:
    until = time.perf_counter() + 0.05
    while time.perf_counter() < until:
        pass  # spinning
    return b"busy"


def loop() -> bytes:
    asyncio.run(asyncio.sleep(0.01))  # a loop
    return b"loop"


def child() -> bytes:
    return subprocess.run(
        [sys.executable, "-c", "print('from a child', end='')"], stdout=subprocess.PIPE
    ).stdout


def fork() -> bytes:
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.write(writing, b"from a fork")
        time.sleep(0.8)
        os._exit(0)
    os.waitpid(process, 0)
    return os.read(reading, 100)


def environment() -> bytes:
    names = ("PYTHONPATH", "LOADTEST_PROBE_FOLDER")
    return repr({name: os.environ.get(name) for name in names}).encode()


answers: dict[str, Callable[[], bytes]] = {
    "/plain": lambda: b"plain",
    "/slow": slow,
    "/loop": loop,
    "/busy": busy,
    "/child": child,
    "/fork": fork,
    "/environment": environment,
}
