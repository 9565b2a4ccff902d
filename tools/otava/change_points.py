"""Finds the change points of many series with Apache Otava, with its own settings.

Usage: python change_points.py QUESTION ANSWER

QUESTION holds `{"schemaVersion": 1, "series": [[1.5, ...], ...]}`, each series in the order of time. ANSWER gets
`{"schemaVersion": 1, "changes": [...]}`; `index` is that of the first point after the change.
"""

import json
import sys
from pathlib import Path

from otava.analysis import compute_change_points


def changes_of(number: int, values: list[float]) -> list[dict[str, float]]:
    """Returns the changes of one series as the answer has them."""
    found, _ = compute_change_points([float(value) for value in values])
    return [
        {
            "series": number,
            "index": int(point.index),
            "meanBefore": float(point.stats.mean_1),
            "meanAfter": float(point.stats.mean_2),
            "sdBefore": float(point.stats.std_1),
            "sdAfter": float(point.stats.std_2),
            "pValue": float(point.stats.pvalue),
        }
        for point in found
    ]


def main(question: str, answer: str) -> None:
    """Answers one question."""
    series = json.loads(Path(question).read_text(encoding="utf-8"))["series"]
    changes = [change for number, values in enumerate(series) for change in changes_of(number, values)]
    text = json.dumps({"schemaVersion": 1, "changes": changes}, allow_nan=False)
    Path(answer).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
