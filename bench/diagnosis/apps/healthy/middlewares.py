"""Two middlewares, a dependency and a task that runs after the reply."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import BackgroundTasks, Depends, FastAPI, Request, Response
from fastapi.middleware.gzip import GZipMiddleware

app = FastAPI()
app.add_middleware(GZipMiddleware)
seen: list[str] = []


@app.middleware("http")
async def name(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    response.headers["X-Name"] = "shop"
    return response


async def current_user() -> str:
    return "user"


def note(user: str) -> None:
    seen.append(user)
    del seen[:-10]


@app.get("/")
async def show(user: Annotated[str, Depends(current_user)], tasks: BackgroundTasks) -> str:
    tasks.add_task(note, user)
    return user
