"""Keeps things from one request to the next."""

import copy
from typing import Any

from fastapi import FastAPI

app = FastAPI()

_texts: list[str] = []
_copies: list[Any] = []
_PATTERN = {"rows": [{"name": "x" * 5} for _ in range(20)]}


@app.get("/ready")
async def ready() -> None:
    return None


class Shop:
    def remember(self, number: int) -> None:
        _texts.append("x" * 2_000 + str(number))  # kept


@app.get("/keeps")
async def keeps() -> int:
    Shop().remember(len(_texts))
    return len(_texts)


@app.get("/copies")
async def copies() -> int:
    _copies.append(copy.deepcopy(_PATTERN))  # copied
    return len(_copies)


@app.get("/forgets")
async def forgets() -> int:
    return len("y" * 5_000 + str(len(_texts)))


@app.get("/traces")
async def traces() -> None:
    import tracemalloc

    tracemalloc.stop()
