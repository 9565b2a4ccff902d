import os

import psycopg
from fastapi import FastAPI
from psycopg.rows import dict_row

app = FastAPI(title="Stock")


@app.get("/ping")
def ping() -> str:
    return "pong"


@app.get("/warehouses")
def list_warehouses() -> list[dict[str, int | str]]:
    with psycopg.connect(os.environ["STOCK_DB_DSN"], row_factory=dict_row) as connection:
        return connection.execute("SELECT warehouse_id, name FROM warehouse ORDER BY name").fetchall()
