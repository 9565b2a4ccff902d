"""gunicorn's workers for WSGI apps."""

from __future__ import annotations

import pytest

from tests.conftest import Serve
from tests.servers import line_of

GUNICORN = "gunicorn --no-control-socket -b 127.0.0.1:{port}"
SYNC = f"{GUNICORN} -w 2 plain_wsgi:app"
THREADS = f"{GUNICORN} -k gthread --threads 4 plain_wsgi:app"
GEVENT = f"{GUNICORN} -k gevent plain_wsgi:app"


@pytest.mark.parametrize(
    ("command", "worker", "slots"), [(SYNC, "sync", 1), (THREADS, "gthread", 4), (GEVENT, "gevent", None)]
)
def test_requests_and_the_server_are_known(
    serve: Serve, command: str, worker: str, slots: int | None
) -> None:
    seen = serve(command).diagnose("/slow", users=4, requests=5)
    assert sum(each["requests"] for each in seen.endpoints("/slow")) == 20
    for one in seen.documents:
        assert (one["server"]["worker"], one["server"]["slots"]) == (worker, slots)


@pytest.mark.parametrize("command", [SYNC, THREADS])
def test_line_that_takes_the_thread(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/busy", users=2, requests=10)
    lines = {line_of("plain_wsgi.py", "pass  # spinning"), line_of("plain_wsgi.py", "pass  # spinning") - 1}
    assert seen.most("/busy", "spent")["place"]["line"] in lines
    parts = seen.endpoints("/busy")[0]["partsMs"]
    assert parts["cpu"] > 0.1 * parts["total"]  # the rest waits for a processor on a busy machine


@pytest.mark.parametrize("command", [SYNC, THREADS])
def test_loop_of_each_requests_own(serve: Serve, command: str) -> None:
    """Nothing in gunicorn imports asyncio, but the probe does before the app can."""
    made = serve(command).diagnose("/loop", users=2, requests=10).most("/loop", "made")
    assert (made["what"], made["place"]["line"]) == ("event loop", line_of("plain_wsgi.py", "# a loop"))


def test_what_holds_the_hub(serve: Serve) -> None:
    """gevent turns `time.sleep` into a pause; work on the CPU holds all requests of the worker."""
    seen = serve(GEVENT).diagnose("/busy", users=2, requests=10)
    stalls = seen.documents[0]["outside"]["stalls"]
    assert stalls[0]["place"]["function"] == "busy"
    # The loop has two lines; now and then a look meets the hub on its way to the next request instead.
    assert sum(each["totalMs"] for each in stalls) > 20 * 50 * 0.6, stalls
    slow = serve(GEVENT).diagnose("/slow", users=4, requests=5)
    assert slow.documents[0]["outside"]["stalls"] == []
