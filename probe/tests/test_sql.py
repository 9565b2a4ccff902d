"""Statements without their values."""

import pytest

from loadtest_probe.sql import normalise


@pytest.mark.parametrize(
    ("statement", "normal"),
    [
        ("SELECT 1", "SELECT ?"),
        ("SELECT 'it''s', E'x'", "SELECT ?, ?"),
        ('select a1, "B 2" from t_3 where x = $1', 'select a1, "B 2" from t_3 where x = ?'),
        ("select * from t where id in (1, 2,\n 3)", "select * from t where id in (?...)"),
        ("insert into t values (%s, %s), (%s, %s)", "insert into t values (?...)"),
        ("select %(name)s::int, :other", "select ?::int, ?"),
        ("select 1 -- secret\n, /* and\n more */ 2.5e3", "select ? , ?"),
        (b"select 7", "select ?"),
        ("select '" + "x" * 30_000 + "'", "select"),
    ],
)
def test_normal_form(statement: object, normal: str) -> None:
    assert normalise(statement) == normal


def test_long_statements_are_cut() -> None:
    assert len(normalise("select " + "a, " * 1_000 + "b")) == 500
