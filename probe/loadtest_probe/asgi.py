"""The app as an ASGI server sees it, with each request watched."""

from __future__ import annotations

from asyncio import get_running_loop
from types import CoroutineType
from typing import Any

from loadtest_probe import natives
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.probe import Probe
from loadtest_probe.request import Request, current_request
from loadtest_probe.routes import Routes
from loadtest_probe.steps import stepped


class WatchedAsgi:
    """Calls the app with what it would be called with anyway. Requests alone are watched."""

    def __init__(self, app: Any, probe: Probe) -> None:
        self._app = app
        self._probe = probe
        self._routes = Routes(probe.places)
        self._sampler = probe.sampler

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        loop, loops = get_running_loop(), self._sampler.loops
        watch = loops[0] if loops and loops[0].loop is loop else self._watch(loop)
        if scope["type"] != "http" or watch is None:
            return await self._app(scope, receive, send)
        request = Request()
        request.is_clocked = watch.enter(request)
        token = current_request.set(request)
        try:
            running = request.coroutine = self._app(scope, receive, _noting(request, send))
            return await (stepped(running, request, watch) if isinstance(running, CoroutineType) else running)
        except BaseException:
            request.failed = True
            raise
        finally:
            request.coroutine = None  # else each would keep the other
            watch.open.discard(request)
            try:
                current_request.reset(token)
                self._sampler.leave(watch, request)
                self._finish(scope, request)
            except Exception as error:
                self._probe.cannot_see("some requests", error)

    def _watch(self, loop: Any) -> LoopWatch | None:
        """That of the running loop."""
        loops = self._sampler.loops
        for watch in loops:
            if watch.loop is loop:
                return watch
        try:
            self._probe.watch_loop(loop)
        except Exception as error:
            self._probe.cannot_see("the event loop", error)
        return loops[-1] if loops and loops[-1].loop is loop else None

    def _finish(self, scope: Any, request: Request) -> None:
        request.is_open = False
        if request.ended == 0.0:
            request.ended = natives.now()
        probe = self._probe
        if probe.port is None and scope.get("server"):
            probe.port = scope["server"][1]
        route, kind, handler = self._routes.of(scope)
        key = (scope["method"], route)
        probe.endpoints.add(key, request, scope.get("client"), kind, handler)


def _noting(request: Request, send: Any) -> Any:
    def note_and_send(message: Any) -> Any:
        """Hands on what `send` gives to await, without a coroutine of our own around it."""
        try:
            kind = message["type"]
            if kind == "http.response.start":
                if message["status"] >= 400:
                    request.failed = True
            elif kind == "http.response.body" and not message.get("more_body", False):
                request.ended = natives.now()  # what runs on in the background keeps no client waiting
        except Exception:
            request.failed = True
        return send(message)

    return note_and_send
