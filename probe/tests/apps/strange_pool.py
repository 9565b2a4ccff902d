"""Uses a library that only has a known one's name."""

import psycopg_pool.pool  # noqa: F401
from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def root() -> str:
    return "strange"
