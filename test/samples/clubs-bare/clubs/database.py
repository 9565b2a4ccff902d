import psycopg2.extras
from sqlalchemy import create_engine, text

from clubs.settings import database_url

psycopg2.extras.register_uuid()
engine = create_engine(database_url)


def make_tables() -> None:
    with engine.begin() as connection:
        connection.execute(
            text("CREATE TABLE IF NOT EXISTS members (name text, hash text)")
        )
