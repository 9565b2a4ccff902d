import psycopg2
from sqlalchemy import create_engine, text

from clubs.settings import database_url

engine = create_engine(
    "postgresql+psycopg2://", creator=lambda: psycopg2.connect(database_url)
)


def make_tables() -> None:
    with engine.begin() as connection:
        connection.execute(
            text("CREATE TABLE IF NOT EXISTS members (name text, hash text)")
        )
