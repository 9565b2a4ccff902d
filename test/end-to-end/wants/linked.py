"""An app whose document says where keys come from: by links."""

import os
from typing import Any

import psycopg
from fastapi import FastAPI, HTTPException

app = FastAPI()


def linking(operation: str, **parameters: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"links": {"first": {"operationId": operation, "parameters": parameters}}}}


@app.get("/stock", responses=linking("one", sku="$response.body#/0/sku"))
def stock() -> list[dict[str, str]]:
    with psycopg.connect(os.environ["DATABASE_URL"]) as database:
        rows = database.execute("SELECT id FROM items ORDER BY id").fetchall()
    return [{"sku": f"of-{row[0]}"} for row in rows]


@app.get("/stock/{sku}", operation_id="one")
def one(sku: str) -> str:
    if sku != "of-100":
        raise HTTPException(404, f"no {sku}")
    return sku


@app.get("/gone", responses=linking("gone", key="$response.body#/0/key"))
def gone() -> list[dict[str, str]]:
    return []


@app.get("/gone/{key}", operation_id="gone")
def gone_one(key: int) -> int:
    return key
