"""What a user bought, as polars frames: the two queries of the simulations."""

from typing import TYPE_CHECKING

from psycopg.rows import DictRow, dict_row

from app.database import Pools

if TYPE_CHECKING:
    from polars import DataFrame

PRODUCTS_QUERY = """
    SELECT order_items.order_id, products.id AS product_id, products.title,
           order_items.quantity, order_items.unit_price
    FROM orders
    JOIN order_items ON order_items.order_id = orders.id
    JOIN products ON products.id = order_items.product_id
    WHERE orders.user_id = %(user_id)s
"""

ORDERS_QUERY = """
    SELECT orders.id AS order_id, orders.status, orders.created_at,
           order_items.product_id, order_items.quantity
    FROM orders
    LEFT JOIN order_items ON order_items.order_id = orders.id
    WHERE orders.user_id = %(user_id)s
"""

# The frames name their columns: a user may have bought nothing, and then no row can.
# Polars is imported at the first use: it is a quarter of a worker's start-up time (0.2 s), and most load
# tests start many workers and call no simulation.


def products_frame(rows: list[DictRow]) -> "DataFrame":
    import polars as pl

    return pl.DataFrame(
        rows,
        schema={
            "order_id": pl.Int64,
            "product_id": pl.Int64,
            "title": pl.String,
            "quantity": pl.Int64,
            "unit_price": pl.Decimal(10, 2),
        },
    )


def orders_frame(rows: list[DictRow]) -> "DataFrame":
    import polars as pl

    return pl.DataFrame(
        rows,
        schema={
            "order_id": pl.Int64,
            "status": pl.String,
            "created_at": pl.Datetime("us", "UTC"),
            "product_id": pl.Int64,
            "quantity": pl.Int64,
        },
    )


def fetch_sync(pools: Pools, query: str, user_id: int) -> list[DictRow]:
    with pools.sync.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        cursor.execute(query, {"user_id": user_id})
        return cursor.fetchall()


async def fetch_async(pools: Pools, query: str, user_id: int) -> list[DictRow]:
    async with (
        pools.asynchronous.connection() as connection,
        connection.cursor(row_factory=dict_row) as cursor,
    ):
        await cursor.execute(query, {"user_id": user_id})
        return await cursor.fetchall()


def read_products_sync(pools: Pools, user_id: int) -> "DataFrame":
    return products_frame(fetch_sync(pools, PRODUCTS_QUERY, user_id))


def read_orders_sync(pools: Pools, user_id: int) -> "DataFrame":
    return orders_frame(fetch_sync(pools, ORDERS_QUERY, user_id))


async def read_products_async(pools: Pools, user_id: int) -> "DataFrame":
    return products_frame(await fetch_async(pools, PRODUCTS_QUERY, user_id))


async def read_orders_async(pools: Pools, user_id: int) -> "DataFrame":
    return orders_frame(await fetch_async(pools, ORDERS_QUERY, user_id))
