"""What is changed in which library, right after its import. Everything not in this list runs as it is."""

# What cannot be seen when the patch fails, the module that it changes, and `file:function` in this folder.
Patch = tuple[str, str, str]

# Without these nothing at all is seen.
SERVER = "requests"

patches: tuple[Patch, ...] = (
    (SERVER, "uvicorn.config", "uvicorn:patch_config"),
    ("the last half second", "uvicorn.server", "uvicorn:patch_server"),
    (SERVER, "gunicorn.workers.base", "gunicorn:patch_worker"),
    (SERVER, "gunicorn.workers.gasgi", "gunicorn:patch_asgi_worker"),
    (SERVER, "starlette.applications", "starlette_app:patch"),
    ("threads", "anyio.to_thread", "anyio_threads:patch"),
    ("threads", "starlette.concurrency", "starlette_threads:patch"),
    ("executors", "concurrent.futures.thread", "thread_pools:patch"),
    ("event loops in requests", "asyncio.runners", "event_loops:patch"),
    ("event loops in requests", "anyio._core._eventloop", "event_loops:patch"),
    ("statements of psycopg", "psycopg.cursor", "psycopg:patch_cursor"),
    ("statements of psycopg", "psycopg.cursor_async", "psycopg:patch_async_cursor"),
    ("connections of psycopg", "psycopg.connection", "psycopg:patch_connection"),
    ("connections of psycopg", "psycopg.connection_async", "psycopg:patch_async_connection"),
    ("pools of psycopg_pool", "psycopg_pool.pool", "psycopg_pool:patch"),
    ("pools of psycopg_pool", "psycopg_pool.pool_async", "psycopg_pool:patch_async"),
    ("statements of psycopg2", "psycopg2", "psycopg2:patch"),
    ("statements of asyncpg", "asyncpg.connection", "asyncpg:patch_connection"),
    ("statements of asyncpg", "asyncpg.prepared_stmt", "asyncpg:patch_prepared"),
    ("pools of asyncpg", "asyncpg.pool", "asyncpg:patch_pool"),
    ("statements of SQLAlchemy", "sqlalchemy.engine.default", "sqlalchemy:patch_dialect"),
    ("pools of SQLAlchemy", "sqlalchemy.pool.base", "sqlalchemy:patch_pool"),
)

# The oldest version that can be watched, by the name that is imported.
OLDEST = {
    "uvicorn": "0.12",
    "gunicorn": "20.0",
    "starlette": "0.14",
    "anyio": "3.0",
    "psycopg": "3.0",
    "psycopg_pool": "3.0",
    "psycopg2": "2.8",
    "asyncpg": "0.25",
    "sqlalchemy": "1.4",
}
