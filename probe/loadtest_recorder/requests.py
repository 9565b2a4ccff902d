"""The requests that tests send to an app, seen where the app takes them."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from loadtest_recorder.notes import Notes
from loadtest_recorder.replacements import VALUES, name_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_SEEN = "loadtest_recorder"
_LONGEST_BODY = 20_000
_LONGEST_REPLY = 20_000
_LONGEST_HEADER = 4_000
_NOT_WANTED = {"x-forwarded-for", "x-forwarded-proto", "x-request-id"}


def watch(notes: Notes, rows: Callable[[], list[int]]) -> None:
    """From now on each request is noted, with the rows that were there when it began."""
    from starlette.applications import Starlette

    original = Starlette.__call__

    @functools.wraps(original)
    async def call(self: Any, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("type") != "http" or _SEEN in scope:
            return await original(self, scope, receive, send)
        scope[_SEEN] = True
        exchange = _Exchange(self, scope, receive, send, rows())
        try:
            await original(self, scope, exchange.receive, exchange.send)
        finally:
            exchange.note(notes)

    Starlette.__call__ = call  # type: ignore[method-assign]


class _Exchange:
    def __init__(self, app: Any, scope: Scope, receive: Receive, send: Send, rows: list[int]) -> None:
        self._scope, self._receive, self._send, self._rows = scope, receive, send, rows
        self._path, self._root = str(scope.get("path", "")), str(scope.get("root_path", ""))
        overridden = getattr(app, "dependency_overrides", None) or {}
        self._overrides = [name_of(each) for each in overridden]
        self._body, self._reply, self._is_whole = bytearray(), bytearray(), True
        self._status = 500
        self._reply_headers: list[Any] = []

    async def receive(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        if message.get("type") == "http.request":
            self._is_whole &= _add(self._body, message.get("body", b""), _LONGEST_BODY)
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message.get("type") == "http.response.start":
            self._status, self._reply_headers = message["status"], list(message.get("headers", ()))
        elif message.get("type") == "http.response.body":
            _add(self._reply, message.get("body", b""), _LONGEST_REPLY)
        await self._send(message)

    def note(self, notes: Notes) -> None:
        if not self._is_whole:
            return
        try:
            body, query = self._body.decode(), self._scope.get("query_string", b"").decode("ascii")
        except UnicodeDecodeError:
            return  # a file: nobody writes it into a configuration
        route = getattr(self._scope.get("route"), "path", None)
        inside = str(self._scope.get("root_path", ""))[len(self._root) :]
        notes.write(
            "request",
            test=notes.test,
            method=self._scope.get("method"),
            path=self._path,
            query=query,
            route=inside + route if isinstance(route, str) else None,
            headers={
                name: value
                for name, value in _texts(self._scope.get("headers", ()))
                if _counts(name) and len(value) <= _LONGEST_HEADER
            },
            body=body,
            status=self._status,
            reply=self._reply.decode("utf-8", "replace"),
            cookies=[value for name, value in _texts(self._reply_headers) if name == "set-cookie"],
            overrides=self._overrides,
            rows=self._rows,
            values=self._scope.get(VALUES, []),
        )


def _counts(name: str) -> bool:
    is_own = name.startswith("x-") and name not in _NOT_WANTED
    return is_own or name in ("authorization", "cookie", "content-type") or name.endswith(("-key", "-token"))


def _texts(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers]


def _add(kept: bytearray, data: bytes, most: int) -> bool:
    """False if something did not fit."""
    room = most - len(kept)
    kept += data[:room]
    return len(data) <= room
