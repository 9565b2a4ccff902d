"""gunicorn, which forks its workers from an arbiter."""

import functools
from types import ModuleType
from typing import Any

from loadtest_probe.asgi import WatchedAsgi
from loadtest_probe.probe import Probe
from loadtest_probe.settings import clean_environment
from loadtest_probe.wsgi import WatchedWsgi


def patch_worker(probe: Probe, module: ModuleType) -> None:
    """A worker's `load_wsgi` is where it gets its app, loaded by itself or before the fork."""
    clean_environment()  # nothing is executed anew, so nobody needs it any more
    worker = module.Worker
    load = worker.load_wsgi

    @functools.wraps(load)
    def load_watched(self: Any) -> None:
        load(self)
        try:
            _wrap(probe, self)
        except Exception as error:
            probe.cannot_see("requests", error)

    worker.load_wsgi = load_watched


def patch_asgi_worker(probe: Probe, module: ModuleType) -> None:
    """gunicorn's own worker for ASGI apps."""
    worker = module.ASGIWorker
    load = worker.load_wsgi

    @functools.wraps(load)
    def load_watched(self: Any) -> None:
        load(self)
        try:
            probe.wake(worker="asgi")
            self.asgi = WatchedAsgi(self.asgi, probe)
        except Exception as error:
            probe.cannot_see("requests", error)

    worker.load_wsgi = load_watched


def _wrap(probe: Probe, worker: Any) -> None:
    names = [each.__name__ for each in type(worker).__mro__]
    if "UvicornWorker" in names:
        return  # uvicorn's Config.load does the rest
    kind = next((text for name, text in _workers.items() if name in names), None)
    if kind is None:
        probe.cannot_see("requests", f"gunicorn's worker {type(worker).__name__} is not known")
        return
    slots = {"sync": 1, "gthread": worker.cfg.threads}.get(kind)
    closes_after = 1 if kind == "sync" else None  # it knows no keep-alive
    probe.wake(worker=kind, slots=slots, requestsPerConnection=closes_after)
    worker.wsgi = WatchedWsgi(worker.wsgi, probe, is_gevent=kind == "gevent")


_workers = {"GeventWorker": "gevent", "ThreadWorker": "gthread", "SyncWorker": "sync"}
