CREATE TABLE orders (id bigint PRIMARY KEY);
CREATE TABLE items (order_id bigint NOT NULL REFERENCES orders, title text NOT NULL);
INSERT INTO orders SELECT generate_series(1, 100);
INSERT INTO items SELECT 1 + n % 100, 'item ' || n FROM generate_series(1, 300) AS n;
CREATE INDEX items_of_order ON items (order_id);
