"""The app itself, for a server that has no patch of its own: its first call shows that this process serves it."""

from __future__ import annotations

import functools
from asyncio import get_running_loop
from types import ModuleType
from typing import Any

from loadtest_probe.asgi import WatchedAsgi
from loadtest_probe.probe import Probe
from loadtest_probe.request import current_request


def patch(probe: Probe, module: ModuleType) -> None:
    starlette = module.Starlette
    call = starlette.__call__
    # The app that the server calls; those mounted in it are called by it.
    outermost: dict[int, WatchedAsgi | None] = {}

    @functools.wraps(call)
    async def call_watched(self: Any, scope: Any, receive: Any, send: Any) -> None:
        if not probe.is_awake:
            outermost[id(self)] = _watched(probe, functools.partial(call, self))
        watched = outermost.get(id(self))
        if watched is None or current_request.get() is not None:
            await call(self, scope, receive, send)
        else:
            await watched(scope, receive, send)

    starlette.__call__ = call_watched


def _watched(probe: Probe, app: Any) -> WatchedAsgi | None:
    try:
        probe.wake(worker="asgi")
        get_running_loop()
        return WatchedAsgi(app, probe)
    except RuntimeError:
        probe.cannot_see("requests", "the server does not run the app on an event loop of asyncio")
    except Exception as error:
        probe.cannot_see("requests", error)
    return None
