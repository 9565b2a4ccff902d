-- Foreign keys, and the keys and indexes of order_items, with the names PostgreSQL gave the published ones. After the
-- seed, because building an index or checking a foreign key once is cheaper than doing so for each row.

-- First of all, because it marks every page as visible to all: indexes are then built, and foreign keys
-- checked, without asking for each row whether its transaction came through. The statistics are there early
-- because the checks, and the plans that 04-verify.sql looks at, must not depend on when autovacuum comes by.
VACUUM (ANALYZE) order_items;

-- loadtest: meanwhile

VACUUM (ANALYZE) users, products, orders;

-- loadtest: then

-- Two indexes at a time, each by one process, keep two CPUs busier than one index by two; why with so little
-- memory is said in 02. A foreign key is checked by a join, here of two indexes in their order, which reads no
-- table at all and keeps nothing in memory.
SET max_parallel_maintenance_workers = 0;
SET maintenance_work_mem = '32MB';
SET enable_hashjoin = off;
CREATE UNIQUE INDEX order_items_pkey ON order_items (id);
CREATE INDEX idx_order_items_order_product ON order_items (order_id, product_id);
ALTER TABLE orders
    ADD CONSTRAINT fk_orders_user FOREIGN KEY (user_id) REFERENCES users (id);
RESET enable_hashjoin;
RESET maintenance_work_mem;
RESET max_parallel_maintenance_workers;

-- loadtest: meanwhile

SET max_parallel_maintenance_workers = 0;
SET maintenance_work_mem = '32MB';
CREATE INDEX idx_order_items_order_id ON order_items (order_id);  -- a prefix of that above; kept as published
CREATE INDEX idx_order_items_product_id ON order_items (product_id);
RESET maintenance_work_mem;
RESET max_parallel_maintenance_workers;

-- loadtest: then

SET enable_hashjoin = off;
ALTER TABLE order_items ADD CONSTRAINT order_items_pkey PRIMARY KEY USING INDEX order_items_pkey;
ALTER TABLE order_items
    ADD CONSTRAINT fk_order_items_order FOREIGN KEY (order_id) REFERENCES orders (id),
    ADD CONSTRAINT fk_order_items_product FOREIGN KEY (product_id) REFERENCES products (id);
RESET enable_hashjoin;
