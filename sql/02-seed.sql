-- Fills the tables with the same rows on every run, so that two load tests read the same data.
--
-- The setting loadtest.scale says how many: 1 is the published size (1M users, 100k products, 5M orders,
-- 10M order items); unset or empty means 0.01. Give it before this file: SET loadtest.scale = '0.1'.
--
-- Values come from the row number squared modulo the prime 2147483647, then times a constant: spread like
-- random draws (a user has 0, 1, 2, ... orders, not 5 each), yet the same everywhere. random() would make
-- runs differ, and setseed() would tie the rows to one PostgreSQL version. Row number 0 gives 0 throughout,
-- so user 1 has order 1 with item 1 at every scale.
--
-- OFFSET 0 keeps the planner from merging a step into the next, where it would be computed once for each use.
-- Times are seconds since 1970, because adding an interval to a time takes several times as long.

DO $$
DECLARE
    scale TEXT := COALESCE(NULLIF(current_setting('loadtest.scale', true), ''), '0.01');
BEGIN
    IF NOT scale::NUMERIC > 0 OR scale::NUMERIC > 10 THEN
        RAISE EXCEPTION 'loadtest.scale must be above 0 and at most 10, got %', scale;
    END IF;
    IF EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM products) THEN
        RAISE EXCEPTION 'the tables must be empty before the seed, but users or products has rows';
    END IF;
END
$$;

-- The published ratios hold at every scale: a tenth of a product, 5 orders and 10 items for each user.
CREATE VIEW seed_size AS
SELECT users, GREATEST(users / 10, 1) AS products, 5 * users AS orders, 10 * users AS order_items
FROM
    (SELECT COALESCE(NULLIF(current_setting('loadtest.scale', true), ''), '0.01')::NUMERIC AS scale) AS wanted,
    LATERAL (SELECT GREATEST(round(1000000 * scale)::BIGINT, 1) AS users) AS size;

-- loadtest: then

-- A table made or emptied in the same transaction is loaded without a write-ahead log where the server's
-- wal_level is minimal: about half the time.
TRUNCATE order_items;

-- The constants 15485863 here and 611953 below are primes, picked among such so that the users the examples
-- ask for have some items, yet fewer than 35: user 1 has a total quantity of 18 at scale 0.01, user 821970
-- of 22 at scale 1. The total is the depth of the simulation's fibonacci, whose depth 35 takes seconds.
--
-- Items belong to the first fifth of the orders only, as published: 80 % of the orders are empty, and a
-- little over a third of the users have bought nothing. The price is the product's formula once more, looked
-- up in a hash of all prices: computing it ten million times takes longer, and products fill meanwhile.
SET enable_mergejoin = off;

INSERT INTO order_items (id, order_id, product_id, quantity, unit_price, created_at)
SELECT
    n + 1,
    1 + mixed % (SELECT users FROM seed_size),
    product + 1,
    1 + mixed * 16807 % 2147483647 % 5,
    price,
    to_timestamp(1735689600 + mixed * 39373 % 2147483647 % 31536000)
FROM
    (
        SELECT n, mixed, mixed * 69621 % 2147483647 % (SELECT products FROM seed_size) AS product
        FROM (
            SELECT n, spread * spread % 2147483647 AS mixed
            FROM (
                SELECT n, n * 15485863 % 2147483647 AS spread
                FROM (SELECT generate_series(0, order_items - 1) AS n FROM seed_size) AS numbered
                OFFSET 0
            ) AS first_step
            OFFSET 0
        ) AS second_step
        OFFSET 0
    ) AS item
    JOIN (
        SELECT product, ((product * 7919 % 50000 + 1) * 0.01)::NUMERIC(10, 2) AS price
        FROM seed_size, generate_series(0, products - 1) AS product
        OFFSET 0
    ) AS price_list USING (product);

RESET enable_mergejoin;

-- Explicit ids do not move a sequence: without this the next plain INSERT would collide.
SELECT setval(pg_get_serial_sequence('order_items', 'id'), order_items) FROM seed_size;

-- loadtest: meanwhile

TRUNCATE users, products, orders;

INSERT INTO users (id, name, email, created_at)
SELECT
    n + 1,
    'user_' || n + 1,
    'user_' || n + 1 || '@example.com',
    to_timestamp(1735689600 + n * 7919 % 31536000)
FROM (SELECT generate_series(0, users - 1) AS n FROM seed_size) AS numbered;

INSERT INTO products (id, title, unit_price, created_at)
SELECT
    n + 1,
    words[1 + mixed % 29] || ' ' || words[1 + mixed / 29 % 29] || ' ' || words[1 + mixed / 841 % 29],
    (n * 7919 % 50000 + 1) * 0.01,
    to_timestamp(1735689600 + n * 7919 % 31536000)
FROM
    (SELECT generate_series(0, products - 1) AS n FROM seed_size) AS numbered,
    LATERAL (SELECT n * 48271 % 2147483647 AS spread) AS first_step,
    LATERAL (SELECT spread * spread % 2147483647 AS mixed) AS second_step,
    (SELECT ARRAY[
        'Alpha', 'Beta', 'Gamma', 'Delta', 'Omega', 'Nova', 'Prime', 'Ultra', 'Max', 'Lite',
        'Turbo', 'Pro', 'Plus', 'Mini', 'Smart', 'Eco', 'Power', 'Magic', 'Ultra', 'Hyper',
        'Blue', 'Red', 'Green', 'Black', 'White', 'Silver', 'Gold', 'Quantum', 'Fusion'
    ] AS words) AS dictionary;

INSERT INTO orders (id, user_id, status, created_at)
SELECT
    n + 1,
    1 + mixed % (SELECT users FROM seed_size),
    (ARRAY['pending', 'paid', 'cancelled', 'refunded'])[1 + mixed * 16807 % 2147483647 % 4],
    to_timestamp(1735689600 + mixed * 39373 % 2147483647 % 31536000)
FROM (
    SELECT n, spread * spread % 2147483647 AS mixed
    FROM (
        SELECT n, n * 611953 % 2147483647 AS spread
        FROM (SELECT generate_series(0, orders - 1) AS n FROM seed_size) AS numbered
        OFFSET 0
    ) AS first_step
    OFFSET 0
) AS second_step;

SELECT
    setval(pg_get_serial_sequence('users', 'id'), users),
    setval(pg_get_serial_sequence('products', 'id'), products),
    setval(pg_get_serial_sequence('orders', 'id'), orders)
FROM seed_size;

-- The keys of these tables are built here rather than in 03, because the ten million items take as long as
-- all of this. One process each: the other part has the second CPU. Little memory, so that a sort stays in the
-- CPU's cache and touches few fresh pages, which virtual machines hand out slowly: see docs/seeding.md.
SET max_parallel_maintenance_workers = 0;
SET maintenance_work_mem = '32MB';

ALTER TABLE users ADD PRIMARY KEY (id), ADD UNIQUE (email);
ALTER TABLE products ADD PRIMARY KEY (id);
ALTER TABLE orders ADD PRIMARY KEY (id);
CREATE INDEX idx_orders_user_id ON orders (user_id);

RESET maintenance_work_mem;
RESET max_parallel_maintenance_workers;

-- loadtest: then

DROP VIEW seed_size;
