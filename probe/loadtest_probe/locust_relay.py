"""Given to Locust beside a Locust file, so that workers on other hosts get both from their master.

They need nothing of ours: with `-f -` Locust asks its master for the files. Each worker sends its requests with the
reports that Locust makes anyway, and on its last report the CPU time that it took.
"""

from __future__ import annotations

import time
from typing import Any

from locust import events


def row_of(
    request_type: str,
    name: str,
    response_time: float | None,
    exception: BaseException | None = None,
    response: Any = None,
    **_: Any,
) -> list[object]:
    """A request as a line of k6's `--out csv`, with times in milliseconds."""
    status = getattr(response, "status_code", None) or (0 if exception else 200)
    expected = "false" if exception else "true"
    now = round(time.time() * 1_000, 3)
    what = [" ".join(str(text).split()) for text in (request_type, name)]
    return ["http_req_duration", now, response_time or 0, 1_000, expected, "", *what, status]


class Relay:
    def __init__(self, runner: Any) -> None:
        self.runner = runner
        self.rows: list[list[object]] = []

    def note(self, **request: Any) -> None:
        self.rows.append(row_of(**request))

    def report(self, data: dict[str, Any], **_: Any) -> None:
        rows, self.rows = self.rows, []
        data["loadtest"] = {
            "rows": rows,
            "sentMs": time.time() * 1_000,
            "cpuSeconds": time.process_time(),
            "isLast": self.runner.state == "stopped",
        }


def begin(environment: Any, **_: Any) -> None:
    runner = getattr(environment, "runner", None)
    # Workers that a master of ours has forked write files.
    if type(runner).__name__ != "WorkerRunner" or environment.parsed_options.processes:
        return
    relay = Relay(runner)
    events.request.add_listener(relay.note)
    events.report_to_master.add_listener(relay.report)


events.init.add_listener(begin)
