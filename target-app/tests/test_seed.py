"""The files of ../sql, run in a schema of their own within a transaction that is never committed."""

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import TupleRow

from app.purchases import ORDERS_QUERY, PRODUCTS_QUERY
from app.selects import QUERY

SQL = Path(__file__).parents[2] / "sql"

Connection = psycopg.Connection[TupleRow]


def run(connection: Connection, *names: str) -> None:
    """Send each file whole, without the VACUUM that no transaction allows."""
    for name in names:
        connection.execute((SQL / name).read_bytes().replace(b"VACUUM (ANALYZE)", b"ANALYZE"))


def seed(connection: Connection, scale: str | None) -> None:
    connection.execute("CREATE SCHEMA trial")
    connection.execute("SET LOCAL search_path = trial")
    if scale is not None:
        connection.execute("SELECT set_config('loadtest.scale', %s, false)", [scale])
    run(connection, "01-schema.sql", "02-seed.sql", "03-indexes.sql", "04-verify.sql")


@pytest.fixture
def empty(database_url: str) -> Iterator[Connection]:
    with psycopg.connect(database_url) as connection, connection.transaction(force_rollback=True):
        yield connection


@pytest.fixture(scope="module")
def default_set(database_url: str) -> Iterator[Connection]:
    with psycopg.connect(database_url) as connection, connection.transaction(force_rollback=True):
        seed(connection, None)
        yield connection


@pytest.fixture
def seeded(default_set: Connection) -> Iterator[Connection]:
    with default_set.transaction(force_rollback=True):
        yield default_set


@pytest.mark.parametrize(
    ("scale", "users", "products"),
    [("", 10_000, 1_000), ("0.002", 2_000, 200), ("0.0001", 100, 10), ("0.0000001", 1, 1)],
)
def test_scale(empty: Connection, scale: str, users: int, products: int) -> None:
    seed(empty, scale)
    counts = empty.execute("""
        SELECT
            (SELECT count(*) FROM users), (SELECT count(*) FROM products),
            (SELECT count(*) FROM orders), (SELECT count(*) FROM order_items),
            EXISTS (
                SELECT FROM orders JOIN order_items ON order_items.order_id = orders.id
                WHERE orders.user_id = 1 AND orders.id = 1 AND order_items.id = 1
            )
    """).fetchone()
    assert counts == (users, products, 5 * users, 10 * users, True)


@pytest.mark.parametrize("scale", ["0", "-1", "NaN", "11"])
def test_refuses_other_scales(empty: Connection, scale: str) -> None:
    wanted = f"loadtest.scale must be above 0 and at most 10, got {scale}"
    with pytest.raises(psycopg.errors.RaiseException, match=re.escape(wanted)):
        seed(empty, scale)


def test_rows_are_the_same_everywhere(seeded: Connection) -> None:
    sums = seeded.execute("""
        SELECT
            (SELECT sum(id * unit_price) FROM products),
            (SELECT sum(id * user_id) FROM orders),
            (SELECT sum(id * order_id + id * product_id + id * quantity) FROM order_items),
            (SELECT extract(epoch FROM max(created_at))::BIGINT FROM order_items)
    """).fetchone()
    # The same sums worked out apart from any server, in Python's whole numbers.
    assert [str(figure) for figure in sums or ()] == [
        "125075275.00",
        "6244730698517",
        "27594046514036",
        "1767225338",
    ]


def test_spread_is_as_published(seeded: Connection) -> None:
    """A mean of 30 pieces a user; nothing for exp(-1) of the users, drawing orders and items at random."""
    row = seeded.execute("""
        SELECT avg(total)::FLOAT, avg((total = 0)::INT)::FLOAT
        FROM (
            SELECT COALESCE(sum(order_items.quantity), 0) AS total
            FROM users
            LEFT JOIN orders ON orders.user_id = users.id
            LEFT JOIN order_items ON order_items.order_id = orders.id
            GROUP BY users.id
        ) AS purchase
    """).fetchone()
    assert row == pytest.approx((30, 0.368), rel=0.03)


def test_items_keep_their_products_price(seeded: Connection) -> None:
    row = seeded.execute("""
        SELECT count(*) FILTER (WHERE products.unit_price <> order_items.unit_price), count(*)
        FROM order_items JOIN products ON products.id = order_items.product_id
    """).fetchone()
    assert row == (0, 100_000)


@pytest.mark.parametrize(
    ("insert", "next_id"),
    [
        ("INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com') RETURNING id", 10_001),
        ("INSERT INTO products (title, unit_price) VALUES ('Pen', 1) RETURNING id", 1_001),
        ("INSERT INTO orders (user_id, status) VALUES (1, 'paid') RETURNING id", 50_001),
        (
            "INSERT INTO order_items (order_id, product_id, quantity, unit_price)"
            " VALUES (1, 1, 1, 1) RETURNING id",
            100_001,
        ),
    ],
)
def test_the_next_plain_insert_works(seeded: Connection, insert: str, next_id: int) -> None:
    assert seeded.execute(insert).fetchone() == (next_id,)


def test_does_not_fill_tables_that_have_rows(seeded: Connection) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match="the tables must be empty before the seed"):
        run(seeded, "02-seed.sql")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            "DELETE FROM order_items WHERE id = 7",
            "order_items: expected 100000 rows at scale 0.01, got 99999",
        ),
        (
            "ALTER SEQUENCE orders_id_seq RESTART",
            "orders: expected its sequence at 50000 or more, got 0; the next plain INSERT would collide",
        ),
        (
            "DROP INDEX idx_orders_user_id",
            'expected index scans on users, orders and order_items, got a sequential scan of ["orders"',
        ),
    ],
)
def test_verification_finds(seeded: Connection, damage: str, words: str) -> None:
    seeded.execute(damage)
    with pytest.raises(psycopg.errors.RaiseException, match=re.escape(words)):
        run(seeded, "04-verify.sql")


@pytest.mark.parametrize("query", [QUERY, PRODUCTS_QUERY, ORDERS_QUERY], ids=["select", "products", "orders"])
def test_verification_explains_the_queries_of_the_app(query: str) -> None:
    text = " ".join((SQL / "04-verify.sql").read_text().split())
    assert "'" + " ".join(query.replace("%(user_id)s", "1").split()) + "'" in text
