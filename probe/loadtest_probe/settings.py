"""How a server process learns that it is to be watched: environment variables, set by `__main__`."""

import os
from dataclasses import dataclass

FOLDER = "LOADTEST_PROBE_FOLDER"
APP_FOLDER = "LOADTEST_PROBE_APP_FOLDER"
# Set when only the functions that run are wanted.
REACH = "LOADTEST_PROBE_REACH"
# Set when only samples of whole stacks are wanted.
STACKS = "LOADTEST_PROBE_STACKS"
# Set when only the hosts that it tries to reach are wanted.
OUTSIDE = "LOADTEST_PROBE_OUTSIDE"
# Set when only the lines are wanted that allocate what stays in memory.
MEMORY = "LOADTEST_PROBE_MEMORY"
# What PYTHONPATH was before; absent when there was none.
FORMER_PATH = "LOADTEST_PROBE_PYTHONPATH"

# A file that the engine writes to say that what follows counts; its text names the window.
WINDOW = "window"
# Ends the name of the window that follows one with samples of stacks: what was seen is to be written down.
AFTER = " after"

STALL_SECONDS = 0.020
SAMPLE_EVERY_SECONDS = 0.010
LOOK_AT_WAITS_EVERY_SECONDS = 0.050
BEAT_EVERY_SECONDS = 0.010
WRITE_EVERY_SECONDS = 0.5
# Requests for which each loop reads the CPU's clock: more of them would say the same.
CLOCKED_A_SECOND = 50.0

MOST_ENDPOINTS = 100
MOST_OF_A_KIND = 50
LONGEST_TEXT = 500


@dataclass(frozen=True)
class Settings:
    """Where the documents go, and which folder holds the user's own files."""

    folder: str
    app_folder: str
    only_reach: bool = False
    only_stacks: bool = False
    only_outside: bool = False
    only_memory: bool = False


def read_settings() -> "Settings | None":
    """The settings of the environment; `None` if the probe was not requested."""
    folder, app_folder = os.environ.get(FOLDER), os.environ.get(APP_FOLDER)
    if not folder or not app_folder:
        return None
    only = (name in os.environ for name in (REACH, STACKS, OUTSIDE, MEMORY))
    return Settings(folder, app_folder, *only)


def clean_environment() -> None:
    """Take the probe out of the environment: the app and what it starts see that of an ordinary start."""
    if os.environ.pop(FOLDER, None) is None:
        return
    os.environ.pop(APP_FOLDER, None)
    former = os.environ.pop(FORMER_PATH, None)
    if former is None:
        os.environ.pop("PYTHONPATH", None)
    else:
        os.environ["PYTHONPATH"] = former
