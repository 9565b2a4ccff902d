-- Keys, foreign keys and indexes, with the names PostgreSQL gave the published ones. After the seed, because
-- building an index or checking a foreign key once is cheaper than doing so for each row.

ALTER TABLE users ADD PRIMARY KEY (id), ADD UNIQUE (email);
ALTER TABLE products ADD PRIMARY KEY (id);
ALTER TABLE orders ADD PRIMARY KEY (id);
ALTER TABLE order_items ADD PRIMARY KEY (id);

CREATE INDEX idx_orders_user_id ON orders (user_id);
CREATE INDEX idx_order_items_order_id ON order_items (order_id);  -- a prefix of the last one; kept as published
CREATE INDEX idx_order_items_product_id ON order_items (product_id);
CREATE INDEX idx_order_items_order_product ON order_items (order_id, product_id);

ALTER TABLE orders
    ADD CONSTRAINT fk_orders_user FOREIGN KEY (user_id) REFERENCES users (id);
ALTER TABLE order_items
    ADD CONSTRAINT fk_order_items_order FOREIGN KEY (order_id) REFERENCES orders (id),
    ADD CONSTRAINT fk_order_items_product FOREIGN KEY (product_id) REFERENCES products (id);

-- The plans that 04-verify.sql looks at, and those under load, must not depend on when autovacuum comes by.
ANALYZE users, products, orders, order_items;
