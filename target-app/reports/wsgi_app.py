"""A page from a template and a value from the fake database, as a WSGI app whose calls block (the report on
WSGI and ASGI servers). Which server runs it decides what that costs: a process, a thread or a greenlet.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from werkzeug import Request, Response
from werkzeug.routing import Map, Rule

from reports.parts.fake_db import FakeDbSettings, fake_db_address, fetch_blocking
from reports.parts.page import render_page

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def create_app(settings: FakeDbSettings | None = None) -> "WSGIApplication":
    address = fake_db_address(settings)

    def show_page() -> Response:
        return Response(render_page(), mimetype="text/html")

    def ask_database() -> Response:
        return Response(json.dumps({"data": fetch_blocking(address)}), mimetype="application/json")

    routes = Map([Rule("/", endpoint=show_page), Rule("/api", endpoint=ask_database)])

    @Request.application
    def app(request: Request) -> Response:
        view: Callable[[], Response]
        view, _ = routes.bind_to_environ(request.environ).match()
        return view()

    return app


app = create_app()
