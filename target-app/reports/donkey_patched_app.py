"""The WSGI app with async handlers, each run to its end by an event loop of its own (the report on WSGI and
ASGI servers). It shows that `async` inside changes nothing while the server waits for one request at a time.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from werkzeug import Request, Response
from werkzeug.routing import Map, Rule

from reports.parts.fake_db import FakeDbSettings, fake_db_address, fetch_async, open_pool
from reports.parts.page import render_page

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def create_app(settings: FakeDbSettings | None = None) -> "WSGIApplication":
    address = fake_db_address(settings)

    async def show_page() -> Response:
        return Response(render_page(), mimetype="text/html")

    async def ask_database() -> Response:
        # A pool belongs to one event loop, and this one ends with the request.
        async with open_pool() as pool:
            data = await fetch_async(pool, address)
        return Response(json.dumps({"data": data}), mimetype="application/json")

    routes = Map([Rule("/", endpoint=show_page), Rule("/api", endpoint=ask_database)])

    async def handle(request: Request) -> Response:
        view: Callable[[], Awaitable[Response]]
        view, _ = routes.bind_to_environ(request.environ).match()
        return await view()

    @Request.application
    def app(request: Request) -> Response:
        return asyncio.run(handle(request))

    return app


app = create_app()
