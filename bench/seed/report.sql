-- Stands for the "Populate Database" appendix of the published load-test reports, statement for statement: the same
-- tables, keys and indexes before the rows, random() as there, one session, each statement a transaction of its own,
-- and the check of the sizes at the end. The baseline of the seed benchmark. One thing differs: numbers are written
-- without underscores, which PostgreSQL has only had since 16. For a quick try the benchmark scales the four sizes.

DROP TABLE IF EXISTS order_items;
DROP TABLE IF EXISTS orders;
DROP TABLE IF EXISTS products;
DROP TABLE IF EXISTS users;

CREATE TABLE users (
    id          BIGSERIAL PRIMARY KEY,
    name        TEXT NOT NULL,
    email       TEXT NOT NULL UNIQUE,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE products (
    id          BIGSERIAL PRIMARY KEY,
    title       TEXT NOT NULL,
    unit_price  NUMERIC(10, 2) NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE orders (
    id          BIGSERIAL PRIMARY KEY,
    user_id     BIGINT NOT NULL,
    status      TEXT NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    CONSTRAINT fk_orders_user FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE TABLE order_items (
    id          BIGSERIAL PRIMARY KEY,
    order_id    BIGINT NOT NULL,
    product_id  BIGINT NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity > 0),
    unit_price  NUMERIC(10, 2) NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    CONSTRAINT fk_order_items_order FOREIGN KEY (order_id) REFERENCES orders (id),
    CONSTRAINT fk_order_items_product FOREIGN KEY (product_id) REFERENCES products (id)
);

CREATE INDEX idx_orders_user_id ON orders (user_id);
CREATE INDEX idx_order_items_order_id ON order_items (order_id);
CREATE INDEX idx_order_items_product_id ON order_items (product_id);
CREATE INDEX idx_order_items_order_product ON order_items (order_id, product_id);

INSERT INTO users (id, name, email, created_at)
SELECT
    gs AS id,
    'user_' || gs AS name,
    'user_' || gs || '@example.com' AS email,
    NOW() - (random() * INTERVAL '365 days') AS created_at
FROM generate_series(1, 1000000) AS gs;

WITH word_list AS (
    SELECT ARRAY[
        'Alpha', 'Beta', 'Gamma', 'Delta', 'Omega', 'Nova', 'Prime', 'Ultra', 'Max', 'Lite',
        'Turbo', 'Pro', 'Plus', 'Mini', 'Smart', 'Eco', 'Power', 'Magic', 'Ultra', 'Hyper',
        'Blue', 'Red', 'Green', 'Black', 'White', 'Silver', 'Gold', 'Quantum', 'Fusion'
    ] AS words
)
INSERT INTO products (title, unit_price, created_at)
SELECT
    wl.words[(floor(random() * array_length(wl.words, 1)) + 1)::INT] || ' ' ||
    wl.words[(floor(random() * array_length(wl.words, 1)) + 1)::INT] || ' ' ||
    wl.words[(floor(random() * array_length(wl.words, 1)) + 1)::INT] AS title,
    round((random() * 500)::NUMERIC, 2) AS unit_price,
    NOW() - (random() * INTERVAL '365 days') AS created_at
FROM generate_series(1, 100000) AS gs
CROSS JOIN word_list AS wl;

INSERT INTO orders (id, user_id, status, created_at)
SELECT
    gs AS id,
    (floor(random() * 1000000) + 1)::BIGINT AS user_id,
    (ARRAY['pending', 'paid', 'cancelled', 'refunded'])[(floor(random() * 4)::INT + 1)] AS status,
    NOW() - (random() * INTERVAL '365 days') AS created_at
FROM generate_series(1, 5000000) AS gs;

WITH base AS (
    SELECT
        gs AS id,
        (floor(random() * 1000000) + 1)::BIGINT AS order_id,
        (floor(random() * 100000) + 1)::BIGINT AS product_id,
        (floor(random() * 5) + 1)::INT AS quantity
    FROM generate_series(1, 10000000) AS gs
)
INSERT INTO order_items (id, order_id, product_id, quantity, unit_price, created_at)
SELECT
    b.id,
    b.order_id,
    b.product_id,
    b.quantity,
    p.unit_price,
    NOW() - (random() * INTERVAL '365 days') AS created_at
FROM base AS b
JOIN products AS p ON p.id = b.product_id;

WITH sizeof AS (
    SELECT 'users' AS relation, count(*) AS rows FROM users
    UNION ALL
    SELECT 'products' AS relation, count(*) AS rows FROM products
    UNION ALL
    SELECT 'orders' AS relation, count(*) AS rows FROM orders
    UNION ALL
    SELECT 'order_items' AS relation, count(*) AS rows FROM order_items
)
SELECT relation, rows FROM sizeof ORDER BY rows DESC;
