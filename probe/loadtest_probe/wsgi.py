"""The app as a WSGI server sees it, with each request watched."""

from typing import Any

from loadtest_probe import natives
from loadtest_probe.loop_watch import LoopWatch
from loadtest_probe.probe import Probe
from loadtest_probe.request import Request, current_request
from loadtest_probe.routes import shortened, without_values


class WatchedWsgi:
    """Calls the app with what it would be called with anyway, and hands its reply on as it is.

    A request ends when the app returns: who streams its reply does the rest unseen, because a reply of another type
    would be another reply (servers treat files and lists in their own ways).
    """

    def __init__(self, app: Any, probe: Probe, *, is_gevent: bool) -> None:
        self._app = app
        self._probe = probe
        self._is_gevent = is_gevent
        if is_gevent:
            probe.cannot_see("CPU time of requests", "gevent runs many requests in one thread")

    def __call__(self, environ: Any, start_response: Any) -> Any:
        if not self._probe.is_awake:
            return self._app(environ, start_response)
        if self._is_gevent and not self._probe.sampler.loops:
            self._watch_hub()
        request = Request()
        hub = self._probe.sampler.loops[0] if self._is_gevent and self._probe.sampler.loops else None
        if hub is not None:
            hub.enter(request)
        token = current_request.set(request)

        def start_and_note(status: Any, *args: Any, **kwargs: Any) -> Any:
            request.failed = str(status)[:1] in ("4", "5")
            return start_response(status, *args, **kwargs)

        running, thread = self._probe.sampler.running, natives.thread_id()
        if not self._is_gevent:
            running[thread] = request
        cpu = natives.thread_cpu()
        try:
            return self._app(environ, start_and_note)
        except BaseException:
            request.failed = True
            raise
        finally:
            request.ended = natives.now()
            request.is_open = False
            if hub is not None:
                hub.open.discard(request)
            if not self._is_gevent:
                running.pop(thread, None)
                request.has_more = True
                request.thread_cpu = natives.thread_cpu() - cpu
                request.thread_time = request.ended - request.started
            try:
                current_request.reset(token)
                self._finish(environ, request)
            except Exception as error:
                self._probe.cannot_see("some requests", error)

    def _finish(self, environ: Any, request: Request) -> None:
        probe = self._probe
        if probe.port is None:
            probe.port = int(environ.get("SERVER_PORT") or 0) or None
        key = (environ["REQUEST_METHOD"], shortened(without_values(environ.get("PATH_INFO", ""))))
        client = (environ.get("REMOTE_ADDR"), environ.get("REMOTE_PORT"))
        probe.endpoints.add(key, request, client, "sync", None)

    def _watch_hub(self) -> None:
        """gevent's loop has no tasks to ask for; its turns are seen by a greenlet that sleeps."""
        try:
            import gevent

            watch = LoopWatch(gevent.get_hub(), "gevent")
            self._probe.sampler.loops.append(watch)
            gevent.spawn(_beat, watch, gevent.sleep)
        except Exception as error:
            self._probe.cannot_see("the event loop", error)


def _beat(watch: LoopWatch, sleep: Any) -> None:
    from loadtest_probe.settings import BEAT_EVERY_SECONDS

    while True:
        due = natives.now() + BEAT_EVERY_SECONDS
        sleep(BEAT_EVERY_SECONDS)
        watch.beat(max(0.0, natives.now() - due))
