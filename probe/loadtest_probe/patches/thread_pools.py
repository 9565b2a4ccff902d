"""`ThreadPoolExecutor`: also behind `asyncio.to_thread` and `run_in_executor`, on whichever loop."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe import natives
from loadtest_probe.probe import Probe
from loadtest_probe.request import open_request
from loadtest_probe.thread_work import ThreadWork


def patch(probe: Probe, module: ModuleType) -> None:
    executor = module.ThreadPoolExecutor
    make, submit = executor.__init__, executor.submit

    @functools.wraps(make)
    def make_watched(self: Any, *args: Any, **kwargs: Any) -> None:
        began = natives.now()
        make(self, *args, **kwargs)
        request = open_request()
        if request is not None:
            request.add_made("executor", probe.places.caller(), natives.now() - began)

    @functools.wraps(submit)
    def submit_watched(self: Any, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        if open_request() is None:
            return submit(self, fn, *args, **kwargs)
        if _is_watched(args):
            probe.thread_tokens, probe.thread_kind = self._max_workers, "executor"
            return submit(self, fn, *args, **kwargs)
        return submit(self, ThreadWork(probe, fn, None), *args, **kwargs)

    executor.__init__ = make_watched
    executor.submit = submit_watched


def _is_watched(args: tuple[Any, ...]) -> bool:
    """Old Starlettes hand on `context.run` and what it is to call, which another patch watches."""
    return len(args) == 1 and isinstance(getattr(args[0], "func", None), ThreadWork)
