"""Imports the app as its server would, and writes its OpenAPI document if there is a second argument.

The first is the import string, the second the file for the document, or, before the word `replaced`, for the names of
the dependencies that the app replaces. The last line of the errors says what is wrong.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from functools import partial
from types import FunctionType
from typing import Any

DEEPEST = 5
MOST_SOCKETS = 100
MOST_REPLACED = 20

# What drivers raise without a database, and an app that migrates by another program. The import string is right all the
# same: the app's start will tell.
WITHOUT_DATABASE = {
    "OSError",
    "OperationalError",
    "InterfaceError",
    "PoolTimeout",
    "ConnectionError",
    "ConnectionFailure",
    "CalledProcessError",
}


class NoDocument(AttributeError):
    """The app can be imported, but describes itself nowhere."""


def imported(import_string: str) -> Any:
    """Like uvicorn: the attribute may have dots."""
    module, _, attributes = import_string.partition(":")
    found: Any = importlib.import_module(module)
    for name in filter(None, attributes.removesuffix("()").split(".")):
        found = getattr(found, name)
    return found


def described(app: Any) -> Any:
    try:
        return app.openapi()
    except Exception:
        # The error may be in the words around it, such as a licence without a name; only its routes count.
        from fastapi.openapi.utils import get_openapi

        describe = partial(get_openapi, title="app", version="0")
        try:
            return describe(routes=app.routes)
        except Exception:
            return describe(routes=[each for each in app.routes if can_be(describe, each)])


def can_be(describe: Any, route: Any) -> bool:
    """One type without a schema is no reason to know nothing of the other routes."""
    try:
        describe(routes=[route])
    except Exception:
        return False
    return True


def unwrapped(app: Any) -> Any:
    """The app inside of middleware that was put around it by hand."""
    for name in ("app", "other_asgi_app", "_app", "asgi_app"):
        inner = getattr(app, name, None)
        if not hasattr(app, "openapi") and not hasattr(app, "routes") and callable(inner):
            app = inner
    return app


def sockets(app: Any, before: str = "", depth: int = 0) -> Iterator[str]:
    """Paths of WebSockets, of which OpenAPI knows nothing."""
    for route in getattr(unwrapped(app), "routes", ()):
        path, inner = getattr(route, "path", None), getattr(route, "app", None)
        if not isinstance(path, str):
            continue
        if "WebSocket" in type(route).__name__:
            yield before + path
        elif hasattr(inner, "routes") and not hasattr(route, "endpoint") and depth < DEEPEST:
            yield from sockets(inner, before + path.rstrip("/"), depth + 1)


def whole(app: Any, depth: int = 0) -> Any:
    """The document with those of mounted applications, whose references get a place of their own."""
    app = unwrapped(app)
    document = described(app) if hasattr(app, "openapi") else None
    if depth > DEEPEST:
        return document
    for number, route in enumerate(getattr(app, "routes", ())):
        mounted, path = getattr(route, "app", None), getattr(route, "path", None)
        if path is None or not hasattr(mounted, "routes") or hasattr(route, "endpoint"):
            continue
        inner = whole(mounted, depth + 1)
        if not inner:
            continue
        place = f"x-mounted-{depth}-{number}"
        inner = json.loads(json.dumps(inner).replace('"#/', f'"#/{place}/'))
        document = document or {"openapi": "3.1.0", "paths": {}}
        document[place] = inner
        for each, item in inner.get("paths", {}).items():
            secured = {"security": inner["security"], **item} if "security" in inner else item
            document["paths"][path.rstrip("/") + each] = secured
        for name, scheme in inner.get("components", {}).get("securitySchemes", {}).items():
            schemes = document.setdefault("components", {}).setdefault("securitySchemes", {})
            schemes.setdefault(name, scheme)
    return document


def document_of(import_string: str) -> Any:
    found = imported(import_string)
    if import_string.endswith("()") or isinstance(found, FunctionType):
        found = found()
    document = whole(found)
    if document is None:
        raise NoDocument(f"{import_string} has no OpenAPI document of its own")
    opened = list(sockets(found))[:MOST_SOCKETS]
    return {**document, "x-websockets": opened} if opened and isinstance(document, dict) else document


def replaced_in(app: Any) -> list[str]:
    """Names of the dependencies that the app's own code replaces. An odd object is an app all the same."""
    try:
        overrides = getattr(unwrapped(app), "dependency_overrides", None)
        names = [getattr(each, "__name__", "") for each in overrides] if isinstance(overrides, dict) else []
    except Exception:
        return []
    return [name[:100] for name in names if isinstance(name, str) and name][:MOST_REPLACED]


def write(answer: Any, path: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answer, file)


def run(import_string: str, answer_path: str | None, wanted: str) -> int:
    """The exit status: 3 for an app without a document."""
    is_check = answer_path is None or wanted == "replaced"
    try:
        answer = replaced_in(imported(import_string)) if is_check else document_of(import_string)
        if answer_path is not None and (answer or not is_check):
            # An app that may not write files can be imported all the same.
            with suppress(OSError) if is_check else nullcontext():
                write(answer, answer_path)
        return 0
    except BaseException as error:  # `sys.exit()` at import is no success
        sys.stdout.flush()  # our line is the last one
        if isinstance(error, NoDocument):
            print(error, file=sys.stderr)
            return 3
        # One line: the last one of a long message seldom says what is wrong.
        print(" ".join("".join(traceback.format_exception_only(type(error), error)).split()), file=sys.stderr)
        names = {each.__name__ for each in type(error).__mro__}
        return 0 if is_check and names & WITHOUT_DATABASE else 1


if __name__ == "__main__":
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]  # the files next to this one must hide no module of the app's
    sys.path.insert(0, os.getcwd())
    _, app, path, wanted = [*sys.argv, "", ""][:4]
    status = run(app, path or None, wanted)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # threads that the app started at import would keep Python from ending
