"""An app of which each request runs a part only."""

import _thread
import asyncio
import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


def at_start() -> int:
    return 1


ONE = at_start()


@lru_cache
def remembered(
    number: int = 1,
) -> int:
    # computed once
    return number + 1


def in_thread() -> None:
    in_its_turn()


def in_its_turn() -> None:
    Path(__file__).with_name("data.txt").exists()


class Shop:
    def close(self) -> str:
        text = """
        # no comment
        """

        def inner() -> str:
            return text

        return inner()

    def open(self) -> None:
        raise NotImplementedError


def never() -> None: ...


def bare_thread() -> None:
    is_done = threading.Event()

    def run() -> None:
        in_thread()
        is_done.set()

    _thread.start_new_thread(run, ())
    is_done.wait()


async def waits() -> None:
    await asyncio.sleep(0)
    await asyncio.sleep(0)


def counted() -> None:
    return


async def app(scope: dict[str, Any], _receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    path = scope["path"]
    if path == "/remembered":
        remembered(2)
    if path == "/thread":
        thread = threading.Thread(target=in_thread)
        thread.start()
        thread.join()
    if path == "/shop":
        Shop().close()
    if path == "/counted":
        await waits()
        for _ in range(3):
            counted()
    if path == "/reads":
        Path(__file__).with_name("loops.py").read_text()
    if path == "/without-gevent":
        sys.modules["gevent"] = None  # type: ignore[assignment] # as if it were not installed
        with suppress(ImportError):
            importlib.import_module("gevent")
    if path == "/gevent":
        importlib.import_module("gevent")
    if path == "/profiles":
        sys.setprofile(None)
        in_thread()
    if path == "/bare-thread":
        bare_thread()
    if path == "/program":
        subprocess.run([sys.executable, "-c", "pass"], env={}, check=False)
    if path == "/spawned":
        os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {}), 0)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"fine"})
