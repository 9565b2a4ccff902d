"""Opens a pool for each request."""

import os

from fastapi import FastAPI
from psycopg_pool import ConnectionPool

app = FastAPI()


@app.get("/")
def count_orders() -> int:
    with ConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=1) as pool:  # finding: unpooled connections
        with pool.connection() as connection:
            row = connection.execute("SELECT count(*) FROM shop_orders WHERE id < 10").fetchone()
            return int(row[0]) if row else 0
