"""What the shop sells."""

import re
from functools import lru_cache

WORDS = ["amber", "birch", "cedar", "dune", "ember", "fjord"]
ITEMS = [
    {
        "name": f"{WORDS[number % 6].title()} {WORDS[number // 6% 6]} No. {number}",
        "cents": 100 + 37 * number,
        "weight": f"{number + 1}.5",
        "tags": [WORDS[number % 6], WORDS[(number + 2) % 6]],
        "size": {"width": number % 7, "height": number % 11},
    }
    for number in range(60)
]
_NOISE = re.compile(r"[^a-z0-9]+")


def find_items(page):
    return ITEMS[:page]


@lru_cache(maxsize=None)
def slug(text):
    parts = _NOISE.split(text.lower())
    return "-".join(part for part in parts if part)


def weight_of(item):
    return float(item["weight"])
