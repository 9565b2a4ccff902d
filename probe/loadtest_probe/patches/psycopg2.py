"""psycopg2, whose classes are C and cannot be changed: its connections get cursors of a class derived from theirs."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.probe import Probe


def patch(probe: Probe, module: ModuleType) -> None:
    connect = module.connect
    plain = module.extensions.cursor
    derived: dict[type, type] = {}

    def watched_class(cursor: type) -> type:
        if cursor not in derived:
            derived[cursor] = _derive(probe, cursor)
        return derived[cursor]

    @functools.wraps(connect)
    def connect_watched(*args: Any, **kwargs: Any) -> Any:
        connection = probe.statements.connect(lambda: connect(*args, **kwargs))
        try:
            connection.cursor_factory = watched_class(connection.cursor_factory or plain)
        except Exception as error:
            probe.cannot_see("statements of psycopg2", error)
        return connection

    module.__dict__["connect"] = connect_watched


def _derive(probe: Probe, cursor: Any) -> type:
    def execute(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        return probe.statements.run(query, lambda: cursor.execute(self, query, *args, **kwargs))

    def executemany(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        return probe.statements.run(query, lambda: cursor.executemany(self, query, *args, **kwargs))

    names = {"execute": execute, "executemany": executemany, "__module__": cursor.__module__}
    return type(cursor.__name__, (cursor,), names)
