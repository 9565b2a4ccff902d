"""Fills the tables for development: `python -m shop.seed`."""

import asyncio

from shop.database import Item, engine, make_session


async def seed() -> None:
    async with make_session() as session, session.begin():
        session.add_all(Item(name=f"item {n}", price_cents=100 * n) for n in range(1, 201))
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(seed())
