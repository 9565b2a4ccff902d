"""Starlette before 0.15, which ran functions that are not async in the threads of the loop's own executor."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.probe import Probe
from loadtest_probe.thread_work import ThreadWork


def patch(probe: Probe, module: ModuleType) -> None:
    """Later ones use AnyIO's threads, which are watched there."""
    if hasattr(module, "anyio"):
        return
    run = module.run_in_threadpool

    @functools.wraps(run)
    async def run_watched(func: Any, *args: Any, **kwargs: Any) -> Any:
        if not probe.is_awake:
            return await run(func, *args, **kwargs)
        work = ThreadWork(probe, func, probe.threads)
        try:
            return await run(work, *args, **kwargs)
        finally:
            work.leave()

    module.__dict__["run_in_threadpool"] = run_watched
