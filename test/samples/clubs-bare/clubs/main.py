from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import time
from typing import Annotated

from fastapi import Depends, FastAPI, Request, Response

from clubs.accounts import member, router
from clubs.database import make_tables
from clubs.settings import is_limited


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    make_tables()
    yield


app = FastAPI(title="Clubs", lifespan=lifespan)
app.include_router(router)
asked: Counter[int] = Counter()


@app.middleware("http")
async def limit(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    minute = int(time() / 60)
    asked[minute] += 1
    if is_limited and asked[minute] > 60:
        return Response(status_code=429)
    return await call_next(request)


@app.get("/clubs")
def clubs() -> list[str]:
    return ["chess", "choir"]


@app.get("/me")
def me(name: Annotated[str, Depends(member)]) -> dict[str, str]:
    return {"name": name}
