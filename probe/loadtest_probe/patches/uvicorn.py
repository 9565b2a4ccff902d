"""uvicorn, alone, under its supervisor, or as gunicorn's worker."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.asgi import WatchedAsgi
from loadtest_probe.probe import Probe
from loadtest_probe.settings import clean_environment


def patch_config(probe: Probe, module: ModuleType) -> None:
    """Each worker loads its app in its own process, by `Config.load`, which every uvicorn has."""
    config = module.Config
    load = config.load

    @functools.wraps(load)
    def load_watched(self: Any) -> None:
        clean_environment()
        load(self)
        try:
            probe.wake(worker="asgi")
            self.loaded_app = WatchedAsgi(self.loaded_app, probe)
        except Exception as error:
            probe.cannot_see("requests", error)

    config.load = load_watched
    if hasattr(config, "load_app"):
        _hide_from_early_look(config)


def _hide_from_early_look(config: Any) -> None:
    """From 0.47 on the app is read before `load`; with several workers by their supervisor, too, which must hand
    the probe on to them."""
    load_app = config.load_app

    @functools.wraps(load_app)
    def load_app_unseen(self: Any) -> Any:
        if getattr(self, "workers", 1) <= 1 and not getattr(self, "should_reload", False):
            clean_environment()
        return load_app(self)

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
