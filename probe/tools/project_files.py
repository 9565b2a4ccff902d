"""Reads the files of a Python project, for the programs next to this one."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

try:
    toml: Any = importlib.import_module("tomllib")
except ImportError:  # before Python 3.11
    toml = importlib.import_module("pip._vendor.tomli")


def read_toml(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        content: dict[str, Any] = toml.load(file)
    return content


def plain_name(name: str) -> str:
    """A package's name in one spelling."""
    return re.sub(r"[-_.]+", "-", name).lower()


def write_answer(path: str, answer: Any) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answer, file)
