"""SQLAlchemy: its statements (whose driver may be one that we do not know) and its pools."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.pool_use import PoolUse, gave_back, note_makers
from loadtest_probe.probe import Probe


def patch_dialect(probe: Probe, module: ModuleType) -> None:
    for name in ("do_execute", "do_executemany", "do_execute_no_params"):
        _patch(probe, module.DefaultDialect, name)


def _patch(probe: Probe, dialect: Any, name: str) -> None:
    original = getattr(dialect, name)

    @functools.wraps(original)
    def watched(self: Any, cursor: Any, statement: Any, *args: Any, **kwargs: Any) -> Any:
        return probe.statements.run(statement, lambda: original(self, cursor, statement, *args, **kwargs))

    setattr(dialect, name, watched)


def _sizes(pool: Any) -> tuple[int, int, int]:
    if not hasattr(pool, "checkedout"):
        return 0, 0, 0  # NullPool and the like keep none
    size, overflow = int(pool.size()), int(getattr(pool, "_max_overflow", 0))
    most = 0 if overflow < 0 or size == 0 else size + overflow
    return size, most, int(pool.checkedin()) + int(pool.checkedout())


def _kind(pool: Any) -> str:
    return f"sqlalchemy.{type(pool).__name__}"


def patch_pool(probe: Probe, module: ModuleType) -> None:
    """`Pool.connect` takes a connection; `_return_conn` gets the record that was given out."""
    pool = module.Pool
    note_makers(probe, pool)
    take, give = pool.connect, pool._return_conn

    @functools.wraps(take)
    def take_watched(self: Any) -> Any:
        use = PoolUse(probe, self, _kind(self), _sizes)
        try:
            connection = take(self)
        except BaseException:
            use.failed()
            raise
        use.took(getattr(connection, "_connection_record", None))
        return connection

    @functools.wraps(give)
    def give_watched(self: Any, record: Any) -> Any:
        gave_back(probe, self, _kind(self), _sizes, record)
        return give(self, record)

    pool.connect = take_watched
    pool._return_conn = give_watched
