CREATE TABLE warehouse (
    warehouse_id integer PRIMARY KEY,
    name text NOT NULL
);
