"""Runs the tests of the repository in the current folder and records what they do. The argument is a file of settings.

Tests drop tables and empty stores, so they run only where they reach nothing but what is theirs.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import site
import sys
from pathlib import Path
from typing import Any

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from loadtest_recorder.notes import Notes  # noqa: E402
from loadtest_recorder.own_machine import NoOwnMachine, run_inside  # noqa: E402

_INSIDE = "LOADTEST_INSIDE"


def ports_of(settings: dict[str, Any]) -> list[int]:
    """Those of our own services stand in the variables that were set for them."""
    values = [os.environ.get(name, "") for name in settings["portVariables"]]
    found = [each for value in values for each in re.findall(r"(?:^|:)(\d{2,5})(?=$|[/?])", value)]
    return list(dict.fromkeys([*settings["ports"], *map(int, found)]))


def begin(settings_path: str, settings: dict[str, Any]) -> None:
    os.environ[_INSIDE] = "yes"
    paths = [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable)), sys.path[0]]
    kept = [*paths, *settings["kept"], settings_path, *os.environ["PATH"].split(os.pathsep)]
    try:
        run_inside(
            [sys.executable, os.path.abspath(__file__), settings_path],
            ports=ports_of(settings),
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


def use_our_database(variables: list[str]) -> None:
    """In the copy's files of variables, which suites may prefer to the environment."""
    values = [os.environ.get(name, "") for name in variables]
    ours = next((value for value in values if re.match(r"postgres\w*(?:\+\w+)?://", value)), None)
    for path in Path().glob(".env*") if ours else ():
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = path.read_text(encoding="utf-8")
            address = r"(postgres\w*(?:\+\w+)?://)[^\s\"']+"
            path.write_text(re.sub(address, lambda found: found[1] + str(ours).partition("://")[2], text))


def without(arguments: list[str], folder: str) -> list[str]:
    """The tests that do not need the conftest of this folder."""
    return [each for each in arguments if not os.path.abspath(each).startswith(folder + os.sep)]


def run(settings: dict[str, Any]) -> None:
    for each in settings["sites"]:
        site.addsitedir(each)
    # Tests start programs, too, e.g. Alembic.
    own = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*settings["sites"], *([own] if own else [])])
    accept_long_passwords()
    use_our_database(settings["portVariables"])
    import pytest

    from loadtest_recorder import replacements
    from loadtest_recorder.plugin import Recorder
    from loadtest_recorder.requests import watch
    from loadtest_recorder.rows import Rows

    sys.path[0] = os.getcwd()  # as `python -m pytest` does
    notes = Notes(settings["notes"], settings["routes"])
    rows = Rows(notes)
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
