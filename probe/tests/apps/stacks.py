"""An app whose CPU time is known: so many rounds in this function, so many in that one."""

import gc
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


def light() -> int:
    total = 0
    for number in range(10_000):
        total += number
    return total


def heavy() -> int:
    total = 0
    for number in range(30_000):
        total += number
    return total


class Row(BaseModel):
    name: str
    value: int


class Around:
    """Has no part in what happens within."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


api = FastAPI()


@api.get("/ready")
async def ready() -> str:
    return "yes"


@api.get("/two")
async def two() -> int:
    return light() + heavy()


@api.get("/thread")
def thread() -> int:
    return light() + heavy()


@api.get("/rows")
async def rows() -> list[Row]:
    return [Row(name="a", value=1)] * 300


@api.get("/collects")
async def collects() -> int:
    return gc.collect()


app = Around(api)
