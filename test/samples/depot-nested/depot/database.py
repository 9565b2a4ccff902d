from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from depot.config import config

engine = create_async_engine(
    config.DEPOT_DB_URI
    or URL.create(
        "postgresql+asyncpg",
        config.DEPOT_DB_USER,
        config.DEPOT_DB_PASSWORD,
        config.DEPOT_DB_HOST,
        config.DEPOT_DB_PORT,
        config.DEPOT_DB_NAME,
    )
)


async def fill() -> None:
    async with engine.begin() as connection:
        await connection.execute(text("CREATE TABLE IF NOT EXISTS crates (id int)"))
        await connection.execute(
            text("INSERT INTO crates SELECT generate_series(1, 50)")
        )
