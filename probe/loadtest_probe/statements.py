"""Statements and connections, timed once however many layers they pass through (SQLAlchemy, then its driver)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar, Token
from typing import Any, Optional

from loadtest_probe import natives
from loadtest_probe.places import Place, Places
from loadtest_probe.pools import Connects
from loadtest_probe.request import Request, current_request, open_request
from loadtest_probe.sql import normalise

_is_inside: ContextVar[bool] = ContextVar("loadtest_probe_statement", default=False)

# A statement in progress: its request, the line that sent it, and when.
Mark = tuple[Request, Optional[Place], "Token[bool]", float]


class Statements:
    """Runs what the app sent, and notes it with the request."""

    def __init__(self, places: Places, connects: Connects) -> None:
        self._places = places
        self._connects = connects

    def run(self, statement: object, call: Callable[[], Any]) -> Any:
        mark = self.begin()
        if mark is None:
            return call()
        try:
            return call()
        finally:
            self.end(mark, statement)

    def begin(self) -> Mark | None:
        """Before a statement; `None` when it is not to be noted. Who awaits in between spares a coroutine of ours."""
        request = current_request.get()
        if request is None or not request.is_open or _is_inside.get():
            return None
        return request, self._places.caller(), _is_inside.set(True), natives.now()

    def end(self, mark: Mark, statement: object) -> None:
        request, place, token, began = mark
        seconds = natives.now() - began
        _is_inside.reset(token)
        try:
            request.add_statement(normalise(statement), place, seconds)
        except Exception:
            request.add_statement("?", place, seconds)

    def connect(self, call: Callable[[], Any]) -> Any:
        began = natives.now()
        place = self._places.caller()
        try:
            connection = call()
        except BaseException as error:
            with suppress(Exception):
                self._connects.failure(error)
            raise
        self._connected(natives.now() - began, place)
        return connection

    async def connect_async(self, call: Callable[[], Awaitable[Any]]) -> Any:
        began = natives.now()
        place = self._places.caller()
        try:
            connection = await call()
        except BaseException as error:
            with suppress(Exception):
                self._connects.failure(error)
            raise
        self._connected(natives.now() - began, place)
        return connection

    def _connected(self, seconds: float, place: Place | None) -> None:
        request = open_request()
        self._connects.made(seconds, in_request=request is not None)
        if request is not None:
            request.connect_time += seconds
            request.add_made("connection", place, seconds)
