CREATE TABLE invoice (invoice_id integer PRIMARY KEY, cents integer NOT NULL);
INSERT INTO invoice SELECT n, n * 100 FROM generate_series(1, 100) AS n;
