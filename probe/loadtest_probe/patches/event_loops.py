"""`asyncio.run` and `anyio.run`: each makes an event loop, and closes it after one call."""

import functools
import sys
from types import ModuleType
from typing import Any

from loadtest_probe import natives
from loadtest_probe.probe import Probe
from loadtest_probe.request import open_request


def patch(probe: Probe, module: ModuleType) -> None:
    run = module.__dict__["run"]
    watched = module.__dict__["run"] = _watched(probe, run)
    # The package has taken the function already when it was imported before the probe was made, or by the probe.
    package = sys.modules.get(module.__name__.partition(".")[0])
    if getattr(package, "run", None) is run:
        vars(package)["run"] = watched


def _watched(probe: Probe, run: Any) -> Any:
    @functools.wraps(run)
    def run_watched(*args: Any, **kwargs: Any) -> Any:
        request = open_request()
        if request is None:
            return run(*args, **kwargs)
        place = probe.places.caller()
        began = natives.now()
        try:
            return run(*args, **kwargs)
        finally:
            request.add_made("event loop", place, natives.now() - began)

    return run_watched
