"""Runs the tests of the repository in the current folder and records what they do. The argument is a file of settings.

Tests drop tables and empty stores, so they run only where they reach nothing but what is theirs.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import re
import site
import sys
from pathlib import Path
from typing import Any

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from loadtest_recorder.gateway import account_of, addresses_in, connect, hosts_text  # noqa: E402 - once they can be found
from loadtest_recorder.notes import Notes  # noqa: E402
from loadtest_recorder.own_machine import Door, NoOwnMachine, door_to, run_inside  # noqa: E402 - as above

_INSIDE = "LOADTEST_INSIDE"


def doors_of(settings: dict[str, Any], ports: set[int]) -> dict[int, Door]:
    """
    To our own services, whose ports stand in the variables that were set for them, and to our Postgres from wherever
    the suite expects one.
    """
    doors: dict[int, Door] = {}
    for name in settings["portVariables"]:
        value = os.environ.get(name, "")
        for port in map(int, re.findall(r"(?:^|:)(\d{2,5})(?=$|[/?])", value)):
            doors[port] = door_to(port)
            if re.search("redis", name + value, re.I):
                doors.setdefault(6379, doors[port])
    if settings["database"]:
        account = account_of(settings["database"])
        doors[account.port] = door_to(account.port)
        if settings["database"].startswith("postgres"):
            for port in {account.port, *(ports - set(doors))}:
                doors[port] = functools.partial(connect, account=account)
    return doors


def begin(settings_path: str, settings: dict[str, Any]) -> None:
    os.environ[_INSIDE] = "yes"
    paths = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable)), sys.path[0]]
    kept = [*paths, *settings["kept"], settings_path, *os.environ["PATH"].split(os.pathsep)]
    ports, names = addresses_in(".")
    hosts = Path(settings_path).with_name("hosts")
    hosts.write_text(hosts_text(names), encoding="utf-8")
    try:
        run_inside(
            [sys.executable, os.path.abspath(__file__), settings_path],
            doors=doors_of(settings, ports),
            hosts=str(hosts),
            kept=[each for each in kept if each],
            writable=settings["writable"],
        )
    except NoOwnMachine as error:
        Notes(settings["notes"]).write("refused", reason=str(error))


def accept_long_passwords() -> None:
    """As bcrypt did before version 5: passlib, which suites use to make users, tries one to know it."""
    if importlib.util.find_spec("passlib") is None or importlib.util.find_spec("bcrypt") is None:
        return
    bcrypt: Any = importlib.import_module("bcrypt")
    hash_password = bcrypt.hashpw
    bcrypt.hashpw = lambda password, salt: hash_password(password[:72], salt)


def without(arguments: list[str], folder: str) -> list[str]:
    """The tests that do not need the conftest of this folder."""
    return [each for each in arguments if not os.path.abspath(each).startswith(folder + os.sep)]


def run(settings: dict[str, Any]) -> None:
    ours = sys.path[0]
    for each in settings["sites"]:
        site.addsitedir(each)
    sys.path[:0] = settings["sites"]  # what they have as well, the tests need in another version
    # Tests start programs, too, e.g. Alembic.
    own = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*settings["sites"], *([own] if own else [])])
    accept_long_passwords()
    import pytest

    from loadtest_recorder import containers, replacements
    from loadtest_recorder.plugin import Recorder
    from loadtest_recorder.requests import watch
    from loadtest_recorder.rows import Rows

    sys.path.remove(ours)  # its other packages must hide none of the suite's, such as `tests`
    sys.path.insert(0, os.getcwd())  # as `python -m pytest` does
    notes = Notes(settings["notes"], settings["routes"])
    rows = Rows(notes)
    containers.stand_in()
    with contextlib.suppress(ImportError):
        rows.watch()
    with contextlib.suppress(ImportError, KeyError):
        replacements.watch(notes)
    watch(notes, rows.there)
    limits = [settings[each] for each in ("seconds", "testSeconds", "quietSeconds")]
    recorder = Recorder(notes, rows.begin_test, *limits)
    arguments = [*settings["arguments"], "--continue-on-collection-errors"]
    code = pytest.main(arguments, plugins=[recorder])
    while recorder.broken and len(arguments) > len(without(arguments, recorder.broken)):
        arguments, recorder.broken = without(arguments, recorder.broken), ""
        if not any(each.endswith(".py") for each in arguments):
            break
        code = pytest.main(arguments, plugins=[recorder])
    recorder.write()
    notes.write("end", code=int(code))
    sys.stdout.flush()
    os._exit(0)  # threads that tests started would keep Python from ending


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = json.load(file)
    if os.environ.pop(_INSIDE, None) is None:
        begin(os.path.abspath(sys.argv[1]), wanted)
    else:
        run(wanted)
