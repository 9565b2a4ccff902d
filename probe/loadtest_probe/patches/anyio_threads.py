"""AnyIO's worker threads, in which Starlette and FastAPI run functions that are not async."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.probe import Probe
from loadtest_probe.thread_work import ThreadWork


def patch(probe: Probe, module: ModuleType) -> None:
    """Those with a limiter of their own wait for something else; they are not counted."""
    run_sync = module.run_sync
    tokens_of = module.current_default_thread_limiter

    @functools.wraps(run_sync)
    async def run_sync_watched(func: Any, *args: Any, **kwargs: Any) -> Any:
        if not probe.is_awake or kwargs.get("limiter") is not None:
            return await run_sync(func, *args, **kwargs)
        if probe.thread_tokens is None or probe.threads.taken % 100 == 0:
            probe.thread_tokens = _whole(tokens_of().total_tokens)
        work = ThreadWork(probe, func, probe.threads)
        try:
            return await run_sync(work, *args, **kwargs)
        finally:
            work.leave()

    module.__dict__["run_sync"] = run_sync_watched


def _whole(tokens: float) -> int:
    return int(min(tokens, 1_000_000))
