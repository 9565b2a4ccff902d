"""One row by primary key through SQLAlchemy's Session and psycopg2, which block a thread (Patel's report).

Its other half is `orm_async`. As published, the pair differs in its pools too (5 + 10 connections against
10 + 20) and logs every statement; `ORM_POOL` and `ORM_ECHO` tell these apart from sync against async.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Request
from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

from reports.parts.environment import read_settings
from reports.parts.orm import OrmSettings, create_table, driver_url, engine_options, users

router = APIRouter()


# A plain generator, as published: its steps take threads of the pool, which is part of what is measured.
def open_session(request: Request) -> Iterator[Session]:
    sessions: sessionmaker[Session] = request.state.sessions
    with sessions() as session:
        yield session


CurrentSession = Annotated[Session, Depends(open_session)]

# What fits the column: a larger number is an error to asyncpg, and both apps shall answer alike.
UserId = Annotated[int, Path(ge=-(2**31), lt=2**31)]


# response_model=None, as published: to check a reply against a model, FastAPI would take another thread while
# the session still has its connection, and all threads are held by requests that wait for a connection.
@router.get("/users/{user_id}", response_model=None)
def read_user(user_id: UserId, session: CurrentSession) -> dict[str, int | str | None]:
    user = session.query(users).filter(users.c.id == user_id).first()
    if user is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "User not found")
    return {"id": user.id, "name": user.name, "email": user.email}


def create_app(settings: OrmSettings | None = None) -> FastAPI:
    chosen = settings or read_settings(OrmSettings)
    engine = create_engine(driver_url(chosen, "sync"), **engine_options(chosen, "sync"))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        with engine.begin() as connection:
            create_table(connection)
        yield {"sessions": sessionmaker(engine, autoflush=False)}
        engine.dispose()

    app = FastAPI(title="ORM, sync", lifespan=lifespan)
    app.include_router(router)
    return app


app = create_app()
