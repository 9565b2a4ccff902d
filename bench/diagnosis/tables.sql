-- A shop: 1,000 orders of 5 items each with the index that they need, and 60,000 events without.

CREATE TABLE shop_orders (id INTEGER PRIMARY KEY);
INSERT INTO shop_orders SELECT generate_series(1, 1000);

CREATE TABLE shop_items (
    id        INTEGER PRIMARY KEY,
    order_id  INTEGER NOT NULL REFERENCES shop_orders,
    title     TEXT NOT NULL,
    price     INTEGER NOT NULL
);
INSERT INTO shop_items SELECT n, 1 + n % 1000, 'item ' || n, n % 97 FROM generate_series(1, 5000) AS n;
CREATE INDEX ON shop_items (order_id);

CREATE TABLE shop_events (
    id        INTEGER PRIMARY KEY,
    order_id  INTEGER NOT NULL,
    kind      TEXT NOT NULL
);
INSERT INTO shop_events SELECT n, 1 + n % 1000, 'seen' FROM generate_series(1, 60000) AS n;

ANALYZE;
