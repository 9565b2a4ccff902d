-- Fills the tables with the same rows on every run, so that two load tests read the same data.
--
-- The setting loadtest.scale says how many: 1 is the published size (1M users, 100k products, 5M orders,
-- 10M order items); unset or empty means 0.01. Give it before this file: SET loadtest.scale = '0.1'.
--
-- Values come from the row number squared modulo the prime 2147483647, then times a constant: spread like
-- random draws (a user has 0, 1, 2, ... orders, not 5 each), yet the same everywhere. random() would make
-- runs differ, and setseed() would tie the rows to one PostgreSQL version. Row number 0 gives 0 throughout,
-- so user 1 has order 1 with item 1 at every scale.

DO $$
DECLARE
    scale TEXT := COALESCE(NULLIF(current_setting('loadtest.scale', true), ''), '0.01');
BEGIN
    IF NOT scale::NUMERIC > 0 OR scale::NUMERIC > 10 THEN
        RAISE EXCEPTION 'loadtest.scale must be above 0 and at most 10, got %', scale;
    END IF;
    PERFORM set_config('loadtest.scale', scale, false);
    IF EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM products) THEN
        RAISE EXCEPTION 'the tables must be empty before the seed, but users or products has rows';
    END IF;
END
$$;

-- A table made or emptied in the same transaction is loaded without a write-ahead log where the server's
-- wal_level is minimal: about half the time.
TRUNCATE users, products, orders, order_items;

INSERT INTO users (id, name, email, created_at)
SELECT
    n + 1,
    'user_' || n + 1,
    'user_' || n + 1 || '@example.com',
    TIMESTAMPTZ '2025-01-01 00:00:00+00' + n * 7919 % 31536000 * INTERVAL '1 second'
FROM generate_series(
    0,
    GREATEST(round(1000000 * current_setting('loadtest.scale')::NUMERIC)::BIGINT, 1) - 1
) AS n;

-- The published ratios hold at every scale: a tenth of a product, 5 orders and 10 items for each user.

INSERT INTO products (id, title, unit_price, created_at)
SELECT
    n + 1,
    words[1 + mixed % 29] || ' ' || words[1 + mixed / 29 % 29] || ' ' || words[1 + mixed / 841 % 29],
    (n * 7919 % 50000 + 1) * 0.01,
    TIMESTAMPTZ '2025-01-01 00:00:00+00' + n * 7919 % 31536000 * INTERVAL '1 second'
FROM
    (SELECT GREATEST(count(*) / 10, 1) AS products FROM users) AS size,
    generate_series(0, products - 1) AS n,
    LATERAL (SELECT n * 48271 % 2147483647 AS spread) AS first_step,
    LATERAL (SELECT spread * spread % 2147483647 AS mixed) AS second_step,
    (SELECT ARRAY[
        'Alpha', 'Beta', 'Gamma', 'Delta', 'Omega', 'Nova', 'Prime', 'Ultra', 'Max', 'Lite',
        'Turbo', 'Pro', 'Plus', 'Mini', 'Smart', 'Eco', 'Power', 'Magic', 'Ultra', 'Hyper',
        'Blue', 'Red', 'Green', 'Black', 'White', 'Silver', 'Gold', 'Quantum', 'Fusion'
    ] AS words) AS dictionary;

-- The constants 611953 here and 15485863 below are primes, picked among such so that the users the examples
-- ask for have some items, yet fewer than 35: user 1 has a total quantity of 18 at scale 0.01, user 821970
-- of 22 at scale 1. The total is the depth of the simulation's fibonacci, whose depth 35 takes seconds.

INSERT INTO orders (id, user_id, status, created_at)
SELECT
    n + 1,
    1 + mixed % users,
    (ARRAY['pending', 'paid', 'cancelled', 'refunded'])[1 + mixed * 16807 % 2147483647 % 4],
    TIMESTAMPTZ '2025-01-01 00:00:00+00' + mixed * 39373 % 2147483647 % 31536000 * INTERVAL '1 second'
FROM
    (SELECT count(*) AS users FROM users) AS size,
    generate_series(0, 5 * users - 1) AS n,
    LATERAL (SELECT n * 611953 % 2147483647 AS spread) AS first_step,
    LATERAL (SELECT spread * spread % 2147483647 AS mixed) AS second_step;

-- Items belong to the first fifth of the orders only, as published: 80 % of the orders are empty, and a
-- little over a third of the users have bought nothing. The price is the product's formula once more: a
-- join would store the rows in an order that the planner is free to choose.

INSERT INTO order_items (id, order_id, product_id, quantity, unit_price, created_at)
SELECT
    n + 1,
    1 + mixed % users,
    product + 1,
    1 + mixed * 16807 % 2147483647 % 5,
    (product * 7919 % 50000 + 1) * 0.01,
    TIMESTAMPTZ '2025-01-01 00:00:00+00' + mixed * 39373 % 2147483647 % 31536000 * INTERVAL '1 second'
FROM
    (SELECT count(*) AS users, GREATEST(count(*) / 10, 1) AS products FROM users) AS size,
    generate_series(0, 10 * users - 1) AS n,
    LATERAL (SELECT n * 15485863 % 2147483647 AS spread) AS first_step,
    LATERAL (SELECT spread * spread % 2147483647 AS mixed) AS second_step,
    LATERAL (SELECT mixed * 69621 % 2147483647 % products AS product) AS choice;

-- Explicit ids do not move a sequence: without this the next plain INSERT would collide.
SELECT
    setval(pg_get_serial_sequence('users', 'id'), (SELECT max(id) FROM users)),
    setval(pg_get_serial_sequence('products', 'id'), (SELECT max(id) FROM products)),
    setval(pg_get_serial_sequence('orders', 'id'), (SELECT max(id) FROM orders)),
    setval(pg_get_serial_sequence('order_items', 'id'), (SELECT max(id) FROM order_items));
