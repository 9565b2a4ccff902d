"""Values of Python as SQL literals."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite
from typing import Any
from uuid import UUID


class NoLiteral(Exception):
    """A value that nobody can write down."""


def quoted(text: str) -> str:
    if "\0" in text:
        raise NoLiteral("a zero byte")
    return "'" + text.replace("'", "''") + "'"


def literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Enum):
        # Drivers see the text that such a member is; SQLAlchemy's own type has made a text of any other.
        return literal(value.value if isinstance(value, (str, int)) else value.name)
    if isinstance(value, (int, float, Decimal)):
        return str(value) if isfinite(value) else quoted(str(value))
    if isinstance(value, (datetime, date, time)):
        return quoted(value.isoformat())
    if isinstance(value, timedelta):
        return quoted(f"{value.total_seconds()} seconds")
    if isinstance(value, (str, UUID)):
        return quoted(str(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return quoted("\\x" + bytes(value).hex())
    if isinstance(value, dict):
        return quoted(json.dumps(value))
    if isinstance(value, (list, tuple, set)):
        return f"ARRAY[{', '.join(map(literal, value))}]" if value else "'{}'"
    raise NoLiteral(type(value).__name__)
