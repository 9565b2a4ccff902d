"""Endpoints whose instructions could differ between two runs of the same code."""

import asyncio
import hashlib
import json
import os
import random
import re
import sqlite3
import time
from contextlib import asynccontextmanager
from datetime import datetime, timezone

from fastapi import Depends, FastAPI, Request
from pydantic import BaseModel
from work import burn


class Item(BaseModel):
    id: int
    name: str
    price: float
    tags: list[str]


ITEMS = [
    {"id": index, "name": f"item {index}", "price": index * 1.5, "tags": ["a", f"t{index % 7}"]}
    for index in range(200)
]
SEEN: dict[str, int] = {}
RECENT: list[dict] = []


async def tick():
    while True:
        await asyncio.sleep(0.25)
        sum(index * index for index in range(500))


@asynccontextmanager
async def lifespan(_: FastAPI):
    tasks = [asyncio.create_task(tick())] if os.environ.get("TICKS") else []
    yield
    for task in tasks:
        task.cancel()


app = FastAPI(lifespan=lifespan)
database = sqlite3.connect(":memory:", check_same_thread=False)
database.execute("create table item (id integer primary key, name text, price real)")
database.executemany("insert into item values (:id, :name, :price)", ITEMS)


def current_user(request: Request) -> str:
    return request.headers.get("x-user", "nobody")


@app.get("/health")
async def health():
    return {"ok": True}


@app.get("/models")
async def models() -> list[Item]:
    return [Item(**item) for item in ITEMS[:30]]


@app.get("/thread")
def thread(user: str = Depends(current_user)):
    return {"user": user, "total": burn(300)}


@app.get("/database")
def rows():
    found = database.execute("select * from item where price > 20 order by name limit 40").fetchall()
    return [{"id": key, "name": name, "price": price} for key, name, price in found]


@app.get("/wait")
async def wait():
    await asyncio.sleep(0.01)
    return {"total": burn(200)}


@app.get("/gather")
async def gather():
    async def part(index: int) -> int:
        await asyncio.sleep(0)
        return burn(20 + index)

    return await asyncio.gather(*[part(index) for index in range(12)])


@app.get("/fills")
async def fills():
    key = f"{len(SEEN) % 5_000}"
    SEEN[key] = SEEN.get(key, 0) + 1
    return {"known": len(SEEN), "total": burn(100)}


@app.get("/garbage")
async def garbage():
    for _ in range(60):
        one: dict = {"data": list(range(20))}
        one["self"] = one
    return {"total": burn(100)}


@app.get("/random")
async def drawn():
    values = [random.random() for _ in range(300)]
    return {"middle": sorted(values)[150], "small": sum(value < 0.5 for value in values)}


@app.get("/clock")
async def clock():
    now = datetime.now(timezone.utc)
    return {"now": now.isoformat(), "seconds": time.time(), "weekday": now.strftime("%A"), "total": burn(100)}


@app.get("/text")
async def text():
    joined = " ".join(item["name"] for item in ITEMS)
    words = re.findall(r"\b\w+\b", joined)
    return {"words": len(set(words)), "digest": hashlib.sha256(joined.encode()).hexdigest()}


@app.get("/json")
async def encoded():
    copied = json.loads(json.dumps(ITEMS))
    RECENT.append(copied[0])
    del RECENT[:-100]
    return {"items": len(copied), "kept": len(RECENT)}


@app.get("/sets")
async def sets():
    groups = [{tag for item in ITEMS[at : at + 20] for tag in item["tags"]} for at in range(0, 200, 20)]
    common = set.intersection(*groups)
    return {"common": sorted(common), "all": sorted(set.union(*groups))}
