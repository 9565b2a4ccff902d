"""Rows of a page."""

from catalog import slug, weight_of
from models import Row
from pricing import quote


def row_of(item):
    return Row(
        name=item["name"],
        slug=slug(item["name"]),
        price=quote(item),
        weight=weight_of(item),
        tags=item["tags"],
    )


def rows_of(items):
    rows = []
    for item in items:
        rows.append(row_of(item))
    return rows
