"""Runs Locust with the arguments after the first two: a file for the requests, and the seconds of the load.

Each request is a line in the form of k6's `--out csv`, with times in milliseconds. At the end Locust leaves its own
facts next to that file, as JSON.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
import time
from typing import Any

# As with `python -m locust`: the files next to this one must hide no module of the Locust file's.
sys.path[0] = os.getcwd()

import configargparse  # noqa: E402 - the path must be right before it is loaded
from locust import events, main  # noqa: E402 - the path must be right before it is loaded

COLUMNS = [
    "metric_name",
    "timestamp",
    "metric_value",
    "error_code",
    "group",
    "method",
    "name",
    "status",
    "url",
]


LONGEST_TEXT = 200

# What the measurement decides, or what would take Locust out of its hands: other processes, files, pages, loads.
OURS = re.compile(
    r"auto(quit|start)|config|csv.*|exit-code-on-error|expect-workers.*|headless|hatch-rate|host|html(-file)?|json(-file)?"
    r"|list|locustfile|logfile|master.*|num-users|only-summary|print-stats|processes|profile|run-time|show-.*"
    r"|skip-log-setup|spawn-rate|tls-(cert|key)|users|web-.*|worker"
)
PROCESSES = ("MODE_MASTER", "MODE_WORKER", "PROCESSES")


def rows_of(
    request_type: object,
    name: object,
    response_time: Any = None,
    exception: BaseException | None = None,
    response: Any = None,
    url: object = "",
    **_: Any,
) -> list[list[object]]:
    """A request, and Locust's judgement of it, as lines of k6's `--out csv`, with times in milliseconds."""
    now = round(time.time() * 1_000, 3)
    what = [" ".join(str(text).split()) for text in (request_type, name)]
    rest = [1_000, "", *what, status_of(response, exception), " ".join(str(url or "").split())]
    took = max(0.0, number(response_time))
    return [["http_req_duration", now, took, *rest], ["http_req_failed", now, 1 if exception else 0, *rest]]


def status_of(response: Any, exception: BaseException | None) -> object:
    """That of an HTTP reply; other things that Locust measures have none."""
    status = getattr(response, "status_code", None)
    if isinstance(status, int) and 100 <= status <= 999:
        return int(status)
    return 0 if exception else "no status"


def number(value: Any) -> float:
    try:
        return float(value or 0)
    except (TypeError, ValueError):
        return 0.0


class Samples:
    """The file of the requests."""

    def __init__(self, path: str) -> None:
        self.file = open(  # noqa: SIM115 - until Locust quits
            path, "w", encoding="utf-8", errors="replace", newline=""
        )
        self.rows = csv.writer(self.file, lineterminator="\n")
        self.rows.writerow(COLUMNS)

    def write(self, rows: list[list[object]]) -> None:
        self.rows.writerows(rows)

    def close(self) -> None:
        self.file.close()


class Run:
    """What is to know at the end, besides the requests."""

    def __init__(self, path: str, seconds: float, overruled: set[str]) -> None:
        self.path = path
        self.overruled = overruled
        self.seconds = seconds
        self.environment: Any = None
        self.is_cut = False
        self.raised = 0
        self.first_raised = ""

    def note_exception(self, exception: BaseException, **_: Any) -> None:
        """One that ended a task: Locust lists it, and a request within `catch_response` is then in no list."""
        if self.raised == 0:
            name = type(exception).__name__
            self.first_raised = " ".join(f"{name}: {exception}".split()).rstrip(":")[:LONGEST_TEXT]
        self.raised += 1

    def begin(self, environment: Any, **_: Any) -> None:
        self.environment = environment
        shape = getattr(environment, "shape_class", None)
        if shape is not None:
            self.end_shape_in_time(shape)

    def end_shape_in_time(self, shape: Any) -> None:
        """A shape says itself when it ends. Nobody has planned for more time than the load's."""
        tick = shape.tick

        def tick_in_time() -> Any:
            users = tick()
            if users is not None and shape.get_run_time() >= self.seconds:
                self.is_cut = True
                return None
            return users

        shape.tick = tick_in_time

    def end(self) -> None:
        code = getattr(self.environment, "process_exit_code", None)
        about = {
            "isCut": self.is_cut,
            "overruled": sorted(self.overruled)[:50],
            "raised": self.raised,
            "firstRaised": self.first_raised,
            **({} if code is None else {"exitCode": int(code)}),
        }
        whole = f"{self.path}.json"
        with open(f"{whole}.part", "w", encoding="utf-8") as file:
            json.dump(about, file)
        os.replace(f"{whole}.part", whole)


def name_variables(parser: Any, **_: Any) -> None:
    """An argument of the file's own can be set as `LOCUST_` and its name in capitals, as Locust's own can."""
    if hasattr(parser, "_auto_env_var_prefix"):
        parser._auto_env_var_prefix = "LOCUST_"


def overrule_configuration() -> set[str]:
    """Leaves out of Locust's configuration files what the measurement decides. The names come with the parsing."""
    overruled: set[str] = set()
    make = configargparse.ArgumentParser.__init__

    def make_and_filter(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        parse = self._config_file_parser.parse

        def parse_others(stream: Any) -> Any:
            settings = parse(stream)
            for name in [*settings]:
                plain = name.strip("-").replace("_", "-")
                if OURS.fullmatch(plain):
                    del settings[name]
                    overruled.add(plain)
            return settings

        self._config_file_parser.parse = parse_others

    configargparse.ArgumentParser.__init__ = make_and_filter
    for name in PROCESSES:
        os.environ.pop(f"LOCUST_{name}", None)
    return overruled


def write_samples(path: str, seconds: float) -> None:
    samples = Samples(path)
    run = Run(path, seconds, overrule_configuration())

    def note(**request: Any) -> None:
        samples.write(rows_of(**request))

    def end(**_: Any) -> None:
        samples.close()
        run.end()

    events.init_command_line_parser.add_listener(name_variables)
    events.init.add_listener(run.begin)
    events.request.add_listener(note)
    events.user_error.add_listener(run.note_exception)
    events.quit.add_listener(end)


write_samples(sys.argv.pop(1), float(sys.argv.pop(1)))
main.main()
