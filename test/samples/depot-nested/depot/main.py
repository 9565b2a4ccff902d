import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel
from sqlalchemy import text

from depot.config import config
from depot.database import engine, fill


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    await fill()
    yield


depot_app = FastAPI(title="Depot", lifespan=lifespan)
bearer = HTTPBearer()


class Credentials(BaseModel):
    email: str
    password: str


@depot_app.post("/auth/login")
def login(credentials: Credentials) -> dict[str, dict[str, str]]:
    if (credentials.email, credentials.password) != (
        config.ADMIN_EMAIL,
        config.ADMIN_PASSWORD,
    ):
        raise HTTPException(401)
    return {"data": {"access_token": "token-of-the-admin"}}


def admin(given: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]) -> str:
    if given.credentials != "token-of-the-admin":
        raise HTTPException(401)
    return config.ADMIN_EMAIL


@depot_app.get("/crates")
async def crates() -> list[int]:
    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT id FROM crates ORDER BY id"))
        return list(found.scalars())


@depot_app.get("/me")
def me(name: Annotated[str, Depends(admin)]) -> str:
    return name


@depot_app.get("/weather")
def weather() -> str:
    if random.random() < 0.95:
        raise HTTPException(503)
    return "calm"
