"""Which endpoint answered, as the app's author wrote it."""

from __future__ import annotations

import inspect
import re
from typing import Any

from loadtest_probe.places import Place, Places

_VALUE = re.compile(r"(?<=/)(?:\d+|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[0-9a-fA-F]{16,})(?=/|$)")
_LONGEST_ROUTE = 300
_MOST_KNOWN = 1_000


class Routes:
    """Remembers what it found out about a function: it is needed at the end of each request."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._handlers: dict[object, tuple[str, Place | None]] = {}
        self._whole: dict[tuple[object, str, str], bool] = {}
        self._plain: dict[tuple[object, object, str], tuple[str, str, Place | None]] = {}

    def of(self, scope: Any) -> tuple[str, str, Place | None]:
        """Template, whether the function is async or sync, and where it is; from what Starlette left in the scope."""
        path = str(scope.get("path", ""))
        function = scope.get("endpoint")
        parameters = scope.get("path_params")
        if function is not None and not parameters:
            key = (function, getattr(scope.get("route"), "path", None), path)
            known = self._plain.get(key)
            if known is None:
                known = self._look_up(scope, path, function, {})
                if len(self._plain) < _MOST_KNOWN:
                    self._plain[key] = known
            return known
        return self._look_up(scope, path, function, parameters or {})

    def _look_up(
        self, scope: Any, path: str, function: Any, parameters: Any
    ) -> tuple[str, str, Place | None]:
        if function is None or hasattr(function, "routes"):  # a mounted app that has no such route
            return shortened(without_values(path)), "unknown", None
        template = getattr(scope.get("route"), "path", None)
        if template == path and not parameters:
            route = path
        elif isinstance(template, str) and self._is_whole(function, template, path, scope):
            route = template
        else:
            route = _with_names(path, parameters)
        kind, place = self._handler(function)
        return shortened(route), kind, place

    def _is_whole(self, function: object, template: str, path: str, scope: Any) -> bool:
        key = (function, template, str(scope.get("root_path", "")))
        known = self._whole.get(key)
        if known is None:
            known = _fits(template, path, scope.get("path_params") or {})
            if len(self._whole) < _MOST_KNOWN:
                self._whole[key] = known
        return known

    def _handler(self, function: object) -> tuple[str, Place | None]:
        known = self._handlers.get(function)
        if known is None:
            inner = inspect.unwrap(function) if callable(function) else function
            call = vars(type(inner)).get("__call__")
            is_async = inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(call)
            known = "async" if is_async else "sync", self._places.of_function(inner)
            if len(self._handlers) < _MOST_KNOWN:
                self._handlers[function] = known
        return known


def without_values(path: str) -> str:
    """The template of a path that has no known one: numbers and identifiers become `{id}`."""
    return _VALUE.sub("{id}", path)


def shortened(route: str) -> str:
    return route[:_LONGEST_ROUTE]


def _fits(template: str, path: str, parameters: Any) -> bool:
    """True if the route's own template is the whole one; that of a route in a mounted app is not."""
    filled = re.sub(r"\{(\w+)(?::\w+)?\}", lambda match: str(parameters.get(match[1], match[0])), template)
    return filled == path


def _with_names(path: str, parameters: Any) -> str:
    for name, value in parameters.items():
        text = str(value)
        if text and f"/{text}" in path:
            head, _, tail = path.rpartition(f"/{text}")
            path = f"{head}/{{{name}}}{tail}"
    return path
