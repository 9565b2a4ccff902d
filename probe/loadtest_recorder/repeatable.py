"""Tests that roll back make the same things under the same keys, so that what they need can be in one database."""

from __future__ import annotations

import random
import uuid
from typing import Any

_NUMBERS_AGAIN = "\n".join(
    (
        "DO $$ DECLARE each record;",
        "BEGIN FOR each IN SELECT s.oid::regclass AS s, t.oid::regclass AS t, a.attname AS a FROM pg_class s",
        "  JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') JOIN pg_class t ON t.oid = d.refobjid",
        "  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid WHERE s.relkind = 'S'",
        "LOOP EXECUTE 'SELECT setval(' || quote_literal(each.s) || ', COALESCE((SELECT max(' || quote_ident(each.a)",
        "  || ') FROM ' || each.t || '), 0) + 1, false)';",
        "END LOOP;",
        "EXCEPTION WHEN OTHERS THEN NULL;",
        "END $$",
    )
)


def seed(state: str) -> None:
    """`state`: which rows there are. As long as it is the same, so are random texts and keys."""
    random.seed(state)
    keys = random.Random(state)  # noqa: S311 - nobody shall trust these
    uuid.uuid4 = lambda: uuid.UUID(int=keys.getrandbits(128), version=4)


def count_again(connection: Any) -> None:
    """Postgres does not take back the numbers that it gave to rows that were rolled back."""
    if connection.dialect.name == "postgresql":
        own = connection.connection.cursor()
        try:
            own.execute(_NUMBERS_AGAIN)
        finally:
            own.close()
