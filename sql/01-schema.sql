-- The tables of the e-commerce set. For an empty database only: nothing is dropped, so that a wrong
-- database-url cannot destroy a `users` table that belongs to somebody.
--
-- Keys, foreign keys and indexes follow in 02 and 03, after the rows: building them once over loaded tables
-- is cheaper than keeping them up row by row. The schema after 03 is the published one.
--
-- No file here opens a transaction of its own. A file may be cut by comments into parts that run at once
-- (docs/seeding.md); psql takes them for comments and runs the same statements one after the other.
--
-- loadtest: disk 2.3 GB at scale 1

CREATE TABLE users (
    id          BIGSERIAL,
    name        TEXT NOT NULL,
    email       TEXT NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE products (
    id          BIGSERIAL,
    title       TEXT NOT NULL,
    unit_price  NUMERIC(10, 2) NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE orders (
    id          BIGSERIAL,
    user_id     BIGINT NOT NULL,
    status      TEXT NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);

CREATE TABLE order_items (
    id          BIGSERIAL,
    order_id    BIGINT NOT NULL,
    product_id  BIGINT NOT NULL,
    quantity    INTEGER NOT NULL CHECK (quantity > 0),
    unit_price  NUMERIC(10, 2) NOT NULL,  -- the product's price when it was ordered
    created_at  TIMESTAMPTZ NOT NULL DEFAULT NOW()
);
