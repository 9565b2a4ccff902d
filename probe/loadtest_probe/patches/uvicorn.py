"""uvicorn, alone, under its supervisor, or as gunicorn's worker."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.asgi import WatchedAsgi
from loadtest_probe.probe import Probe
from loadtest_probe.settings import clean_environment


def patch_config(probe: Probe, module: ModuleType) -> None:
    """Each worker loads its app in its own process; the supervisor of several does not."""
    config = module.Config
    load, load_app = config.load, config.load_app

    @functools.wraps(load)
    def load_watched(self: Any) -> None:
        clean_environment()
        load(self)
        try:
            probe.wake(
                kind=probe.server["kind"] if probe.server["kind"] == "gunicorn" else "uvicorn", worker="asgi"
            )
            self.loaded_app = WatchedAsgi(self.loaded_app, probe)
        except Exception as error:
            probe.cannot_see("requests", error)

    @functools.wraps(load_app)
    def load_app_unseen(self: Any) -> Any:
        if self.workers <= 1 and not self.should_reload:
            clean_environment()  # of several workers the supervisor may look, and must hand the probe on
        return load_app(self)

    config.load = load_watched
    config.load_app = load_app_unseen


def patch_server(probe: Probe, module: ModuleType) -> None:
    """A lone uvicorn ends by the signal that stopped it, without a word to Python's exit handlers."""
    server = module.Server
    shutdown = server.shutdown

    @functools.wraps(shutdown)
    async def shutdown_and_write(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            await shutdown(self, *args, **kwargs)
        finally:
            if probe.channel is not None:
                probe.channel.write()

    server.shutdown = shutdown_and_write
