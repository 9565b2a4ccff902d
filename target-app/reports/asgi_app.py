"""A page from a template and a value from the fake database, as an ASGI app that blocks nothing (the report
on WSGI and ASGI servers).
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from httpcore2 import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from reports.parts.fake_db import FakeDbSettings, fake_db_address, fetch_async, open_pool
from reports.parts.page import render_page


async def show_page(_: Request) -> HTMLResponse:
    return HTMLResponse(render_page())


def create_app(settings: FakeDbSettings | None = None) -> Starlette:
    address = fake_db_address(settings)

    async def ask_database(request: Request) -> JSONResponse:
        pool: AsyncConnectionPool = request.state.pool
        return JSONResponse({"data": await fetch_async(pool, address)})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Any]]:
        async with open_pool() as pool:
            yield {"pool": pool}

    return Starlette(routes=[Route("/", show_page), Route("/api", ask_database)], lifespan=lifespan)


app = create_app()
