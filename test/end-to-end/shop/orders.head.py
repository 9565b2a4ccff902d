"""One statement for the orders and one more for the items of each: the N+1 of the pull request."""

from psycopg import AsyncConnection


async def read_orders(connection: AsyncConnection) -> list[dict[str, object]]:
    cursor = await connection.execute("SELECT id FROM orders ORDER BY id LIMIT 10")
    found = []
    for (order_id,) in await cursor.fetchall():
        items = await connection.execute("SELECT title FROM items WHERE order_id = %s", [order_id])
        found.append({"id": order_id, "items": [title async for (title,) in items]})
    return found
