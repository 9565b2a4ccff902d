"""One row by primary key through SQLAlchemy's AsyncSession and asyncpg, which block nothing (Patel's report).

Its other half is `orm_sync`, where the settings of both are explained.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Request
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from reports.parts.environment import read_settings
from reports.parts.orm import OrmSettings, create_table, driver_url, engine_options, users

router = APIRouter()


async def open_session(request: Request) -> AsyncIterator[AsyncSession]:
    sessions: async_sessionmaker[AsyncSession] = request.state.sessions
    async with sessions() as session:
        yield session


CurrentSession = Annotated[AsyncSession, Depends(open_session)]

# What fits the column: a larger number is an error to asyncpg, and both apps shall answer alike.
UserId = Annotated[int, Path(ge=-(2**31), lt=2**31)]


# response_model=None: the reason is in `orm_sync`.
@router.get("/users/{user_id}", response_model=None)
async def read_user(user_id: UserId, session: CurrentSession) -> dict[str, int | str | None]:
    result = await session.execute(select(users).where(users.c.id == user_id))
    user = result.fetchone()
    if user is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "User not found")
    return {"id": user.id, "name": user.name, "email": user.email}


def create_app(settings: OrmSettings | None = None) -> FastAPI:
    chosen = settings or read_settings(OrmSettings)
    engine = create_async_engine(driver_url(chosen, "async"), **engine_options(chosen, "async"))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        async with engine.begin() as connection:
            await connection.run_sync(create_table)
        yield {"sessions": async_sessionmaker(engine, expire_on_commit=False)}
        await engine.dispose()

    app = FastAPI(title="ORM, async", lifespan=lifespan)
    app.include_router(router)
    return app


app = create_app()
