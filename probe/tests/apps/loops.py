"""What an event loop is made to suffer, and what is fine."""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor

import anyio
from fastapi import APIRouter, FastAPI, Response
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request

app = FastAPI()
users = APIRouter(prefix="/users")


def spin(seconds: float) -> int:
    turns = 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        turns += 1  # spinning
    return turns


@app.get("/fine")
async def fine() -> dict[str, str]:
    await asyncio.sleep(0.02)
    return {"how": "fine"}


@app.get("/plain")
async def plain() -> dict[str, int]:
    return {"answer": 42}


@app.get("/threads")
def threads() -> dict[str, str]:
    time.sleep(0.05)
    return {"how": "in a thread"}


@app.get("/slow-threads")
def slow_threads() -> dict[str, str]:
    time.sleep(0.25)  # holds its thread
    return {"how": "slow"}


@app.get("/blocked")
async def blocked() -> dict[str, str]:
    time.sleep(0.05)  # blocks the loop itself
    return {"how": "blocked"}


@app.get("/blocked-below")
async def blocked_below() -> dict[str, str]:
    await asyncio.sleep(0.001)
    wait_for_a_while()
    return {"how": "blocked below"}


def wait_for_a_while() -> None:
    time.sleep(0.05)  # blocks the loop from below


@app.get("/blocked-child")
async def blocked_child() -> dict[str, str]:
    async def child() -> None:
        await asyncio.sleep(0.001)
        time.sleep(0.05)  # blocks the loop from a task

    await asyncio.gather(child())
    return {"how": "blocked by a child"}


@app.get("/cpu")
async def cpu() -> dict[str, str]:
    spin(0.05)
    return {"how": "busy"}


@app.get("/cpu-in-task")
async def cpu_in_task() -> dict[str, str]:
    async def child() -> None:
        for _ in range(10):
            sum(range(8_000))
            await asyncio.sleep(0)

    await asyncio.create_task(child(), name="child")
    return {"how": "busy in a task"}


@app.get("/cpu-in-group")
async def cpu_in_group() -> dict[str, str]:
    async def child() -> None:
        sum(range(40_000))  # together far below the 5 ms that are told, on a slow machine, too

    async with anyio.create_task_group() as group:
        group.start_soon(child)
        group.start_soon(child)
    return {"how": "busy in a group"}


@app.get("/wait-in-task")
async def wait_in_task() -> dict[str, str]:
    async def child() -> None:
        await asyncio.sleep(0.03)  # in a task

    await asyncio.create_task(child())
    return {"how": "waits in a task"}


class SlowHandler(logging.Handler):
    def emit(self, _record: logging.LogRecord) -> None:
        time.sleep(0.015)  # blocks the loop for a moment


log = logging.getLogger("shop")
log.addHandler(SlowHandler())
log.propagate = False


@app.get("/short-block")
async def short_block() -> dict[str, str]:
    log.warning("asked")
    return {"how": "blocked for a moment"}


kept: list[list[dict[str, int]]] = []


@app.get("/growing")
async def growing() -> dict[str, int]:
    kept.append([{"number": number} for number in range(5_000)])  # grows
    return {"kept": len(kept)}


@app.get("/loop-per-request")
def loop_per_request() -> dict[str, str]:
    anyio.run(asyncio.sleep, 0.02)  # a loop
    return {"how": "a loop"}


@app.get("/executor-per-request")
async def executor_per_request() -> dict[str, str]:
    with ThreadPoolExecutor(max_workers=2) as executor:  # an executor
        await asyncio.get_running_loop().run_in_executor(executor, time.sleep, 0.02)
    return {"how": "an executor"}


@app.get("/to-thread")
async def to_thread() -> dict[str, str]:
    await asyncio.to_thread(spin, 0.03)
    return {"how": "to thread"}


@users.get("/{user_id}/orders")
async def orders(user_id: int) -> dict[str, int]:
    return {"user": user_id}


@app.get("/broken")
async def broken() -> Response:
    raise RuntimeError("broken")


@app.get("/environment")
async def environment() -> dict[str, str]:
    import os

    return {name: os.environ.get(name, "") for name in ("PYTHONPATH", "LOADTEST_PROBE_FOLDER")}


app.include_router(users)


class Middleware(BaseHTTPMiddleware):
    """Runs what comes after it in a task of its own."""

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        return await call_next(request)


wrapped = FastAPI()
wrapped.add_middleware(Middleware)
wrapped.mount("/", app)
app.mount("/behind", wrapped)
