"""Says what this Python is and which packages it has. Argument: the file for the answer."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import sys
import sysconfig
from typing import Any


def bin_folder() -> str:
    """Programs such as uvicorn lie next to a virtual environment's Python, but not next to every system's."""
    user = sysconfig.get_path("scripts", os.name + "_user")
    folders = [os.path.dirname(sys.executable), sysconfig.get_path("scripts"), user]
    return next((each for each in folders if os.path.exists(os.path.join(each, "uvicorn"))), folders[0])


def packages() -> dict[str, str]:
    found: dict[str, str] = {}
    for each in importlib.metadata.distributions():
        name: Any = each.metadata["Name"]  # None where the metadata are broken
        if name:
            found.setdefault(re.sub(r"[-_.]+", "-", name).lower(), each.version)
    return found


def facts() -> dict[str, Any]:
    return {
        "binFolder": bin_folder(),
        "interpreter": sys.executable,
        "version": platform.python_version(),
        "packages": packages(),
        "isFreeThreaded": sysconfig.get_config_var("Py_GIL_DISABLED") == 1,
        "build": [sys.implementation.name, sys.base_prefix, sysconfig.get_platform()],
    }


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(facts(), file)
