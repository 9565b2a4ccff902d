"""One look-up by primary key, through the sync and the async pool."""

from fastapi import APIRouter
from psycopg.rows import TupleRow

from app.database import CurrentPools, UserId

router = APIRouter()

# response_model=None: the reason is in sleeps.py.

QUERY = "SELECT id, name, email, created_at FROM users WHERE id = %(user_id)s"


@router.get("/sync_select", response_model=None)
def select_sync(pools: CurrentPools, user_id: UserId = 1) -> dict[str, list[TupleRow]]:
    with pools.sync.connection() as connection, connection.cursor() as cursor:
        cursor.execute(QUERY, {"user_id": user_id})
        return {"rows": cursor.fetchall()}


@router.get("/async_select", response_model=None)
async def select_async(pools: CurrentPools, user_id: UserId = 1) -> dict[str, list[TupleRow]]:
    async with pools.asynchronous.connection() as connection, connection.cursor() as cursor:
        await cursor.execute(QUERY, {"user_id": user_id})
        return {"rows": await cursor.fetchall()}
