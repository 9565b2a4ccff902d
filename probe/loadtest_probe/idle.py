"""How a loop looks that waits."""

# The innermost Python frame of a loop that waits for events.
IDLE_FILES = (
    "selectors.py",
    "asyncio/runners.py",
    "gevent/hub.py",
    "asyncio/base_events.py",
    "uvloop/__init__.py",
    "granian/server/mp.py",
)

# The innermost Python frame of a worker thread that waits for work.
IDLE_THREAD_FILES = ("threading.py", "queue.py", "concurrent/futures/thread.py")
