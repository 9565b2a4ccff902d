"""One statement for all orders with their items."""

from psycopg import AsyncConnection


async def read_orders(connection: AsyncConnection) -> list[dict[str, object]]:
    cursor = await connection.execute(
        "SELECT orders.id, array_agg(items.title) FROM orders JOIN items ON items.order_id = orders.id"
        " GROUP BY orders.id ORDER BY orders.id LIMIT 10"
    )
    return [{"id": row[0], "items": row[1]} async for row in cursor]
