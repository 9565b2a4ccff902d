"""Runs Locust with the arguments after the first one, which names a file for a line of each request.

The lines have the form of k6's `--out csv`, with times in milliseconds.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from typing import Any

# As with `python -m locust`: the files beside this one must hide no module of the Locust file's.
sys.path[0] = os.getcwd()

from locust import events, main  # noqa: E402 - the path must be right before it is loaded

COLUMNS = [
    "metric_name",
    "timestamp",
    "metric_value",
    "error_code",
    "expected_response",
    "group",
    "method",
    "name",
    "status",
]


def write_samples(path: str) -> None:
    samples = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115 - until Locust quits
    rows = csv.writer(samples, lineterminator="\n")
    rows.writerow(COLUMNS)

    def note(
        request_type: str,
        name: str,
        response_time: float | None,
        exception: BaseException | None = None,
        response: Any = None,
        **_: Any,
    ) -> None:
        status = getattr(response, "status_code", None) or (0 if exception else 200)
        expected = "false" if exception else "true"
        now = round(time.time() * 1_000, 3)
        what = [" ".join(str(text).split()) for text in (request_type, name)]
        rows.writerow(["http_req_duration", now, response_time or 0, 1_000, expected, "", *what, status])

    events.request.add_listener(note)
    events.quit.add_listener(lambda **_: samples.close())


write_samples(sys.argv.pop(1))
main.main()
