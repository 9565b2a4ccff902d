"""Answers a query on a file of SQLite. Arguments: the answer's file, the database, the query, the most rows."""

from __future__ import annotations

import json
import math
import sqlite3
import sys
from typing import Any


def plain(value: Any) -> Any:
    # JSON has no infinity.
    is_plain = isinstance(value, (int, str, type(None))) or (
        isinstance(value, float) and math.isfinite(value)
    )
    return value if is_plain else str(value)


def table(path: str, query: str, most_rows: int) -> dict[str, Any]:
    # Nothing is written: a file that is missing is not made, and one that a server has open stays as it is.
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{quoted}?mode=ro", uri=True)
    try:
        cursor = connection.execute(query)
        return {
            "columns": [name for name, *_ in cursor.description or []],
            "rows": [[plain(value) for value in row] for row in cursor.fetchmany(most_rows)],
        }
    finally:
        connection.close()


if __name__ == "__main__":
    try:
        answer = table(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    except sqlite3.Error as error:
        sys.exit(f"{type(error).__name__}: {error}")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(answer, file)
