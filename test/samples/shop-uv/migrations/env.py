import asyncio

from alembic import context
from shop.database import Base, engine
from sqlalchemy import Connection


def migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata)
    with context.begin_transaction():
        context.run_migrations()


async def main() -> None:
    async with engine.connect() as connection:
        await connection.run_sync(migrate)
        await connection.commit()


asyncio.run(main())
