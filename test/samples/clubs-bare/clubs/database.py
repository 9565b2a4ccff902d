import psycopg2.extras
from sqlalchemy import create_engine, make_url, text

from clubs.settings import database_url

psycopg2.extras.register_uuid()
engine = create_engine(make_url(database_url).set(drivername="postgresql+psycopg2"))


def make_tables() -> None:
    with engine.begin() as connection:
        connection.execute(
            text("CREATE TABLE IF NOT EXISTS members (name text, hash text)")
        )
