"""What the two apps of the ORM pair share: the table, the settings and what these mean for an engine."""

from typing import Any, Literal

from pydantic import Field, PostgresDsn
from sqlalchemy import (
    URL,
    Column,
    Connection,
    Integer,
    MetaData,
    NullPool,
    String,
    Table,
    func,
    make_url,
    select,
)

from reports.parts.environment import ReportSettings

Style = Literal["sync", "async"]
PoolChoice = Literal["published", "equal", "none"]

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String),
    Column("email", String),
)

DRIVERS: dict[Style, str] = {"sync": "postgresql+psycopg2", "async": "postgresql+asyncpg"}

# The published sync app leaves the sizes to SQLAlchemy; these are its defaults.
POOL_SIZES: dict[Style, dict[str, Any]] = {
    "sync": {"pool_size": 5, "max_overflow": 10},
    "async": {"pool_size": 10, "max_overflow": 20},
}

# Any number, as long as nothing else in the database takes it.
TABLE_LOCK = 20240912


class OrmSettings(ReportSettings):
    database_url: PostgresDsn = Field(repr=False, description="postgresql://user:password@host:port/name")
    orm_pool: PoolChoice = Field(
        default="published",
        description=(
            "`published` (up to 15 connections sync, 30 async), `equal` (up to 30 each)"
            " or `none` (a new connection for each request)"
        ),
    )
    orm_echo: bool = Field(
        default=True, description="1 (each statement is logged, as published) or 0 (none is)"
    )


def engine_options(settings: OrmSettings, style: Style) -> dict[str, Any]:
    """All that the two engines are told but for the address."""
    return {"echo": settings.orm_echo, **pool_options(settings.orm_pool, style)}


def pool_options(choice: PoolChoice, style: Style) -> dict[str, Any]:
    match choice:
        case "published":
            return POOL_SIZES[style]
        case "equal":
            return POOL_SIZES["async"]
        case "none":
            return {"poolclass": NullPool}


def driver_url(settings: OrmSettings, style: Style) -> URL:
    return make_url(str(settings.database_url)).set(drivername=DRIVERS[style])


def create_table(connection: Connection) -> None:
    """Make the table where there is none; ../../../sql/reports/ten-users.sql makes it with rows.

    Workers start at the same time, so they look one after the other: two that both find no table would both
    make it, and one of them would fail.
    """
    connection.execute(select(func.pg_advisory_xact_lock(TABLE_LOCK)))
    metadata.create_all(connection)
