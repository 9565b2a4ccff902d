"""Reads the files of a Python project, for the programs next to this one."""

from __future__ import annotations

import importlib
import json
import os
import re
import stat
from typing import Any

try:
    toml: Any = importlib.import_module("tomllib")
except ImportError:  # before Python 3.11
    toml = importlib.import_module("pip._vendor.tomli")


LARGEST_BYTES = 10_000_000


def read_toml(path: str) -> dict[str, Any]:
    # A pipe in its place would be waited for.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError(f"{path} is not a plain file")
        if (size := os.fstat(file.fileno()).st_size) > LARGEST_BYTES:
            raise ValueError(f"{path} has {size} bytes; at most {LARGEST_BYTES} are allowed")
        content: dict[str, Any] = toml.load(file)
    return content


def plain_name(name: str) -> str:
    """A package's name in one spelling."""
    return re.sub(r"[-_.]+", "-", name).lower()


def write_answer(path: str, answer: Any) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answer, file)
