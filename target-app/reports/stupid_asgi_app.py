"""The ASGI app with a client that blocks inside `async def` (the report on WSGI and ASGI servers, which gave
it its name). While it asks the fake database, the whole worker waits, also those who only want the page.
"""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from reports.parts.fake_db import FakeDbSettings, fake_db_address, fetch_blocking
from reports.parts.page import render_page


async def show_page(_: Request) -> HTMLResponse:
    return HTMLResponse(render_page())


def create_app(settings: FakeDbSettings | None = None) -> Starlette:
    address = fake_db_address(settings)

    async def ask_database(_: Request) -> JSONResponse:
        return JSONResponse({"data": fetch_blocking(address)})

    return Starlette(routes=[Route("/", show_page), Route("/api", ask_database)])


app = create_app()
